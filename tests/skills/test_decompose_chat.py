"""Taking a question apart with a chat model, and going on without it when what it says cannot be used."""

import asyncio
import json

from docmind.domain.budget import Budget
from docmind.models.chat.meter import Meter, MeteredChat, Retries
from docmind.models.chat.recording import ScriptedChat, Silence
from docmind.skills.decompose import Decomposition, by_structure, decompose

QUESTION = "What is Orion and how do I encrypt it?"
SAID = Decomposition(
    intent="definition",
    sub_queries=["Orion overview", "Orion encryption at rest"],
    entities=["Orion"],
    constraints=[],
    temporals=[],
)


def test_without_a_chat_model_the_structure_decides_and_nothing_is_noted() -> None:
    assert asyncio.run(decompose(QUESTION)) == (by_structure(QUESTION), "")


def test_what_the_chat_model_says_is_used() -> None:
    chat = ScriptedChat([f"Here it is:\n```json\n{SAID.model_dump_json()}\n```"])
    assert asyncio.run(decompose(QUESTION, chat)) == (SAID, "")
    assert QUESTION in chat.requests[0][-1].content


def test_a_reply_that_does_not_fit_is_repaired_once() -> None:
    six = json.dumps({"intent": "definition", "sub_queries": list("abcdef")})
    chat = ScriptedChat([six, SAID.model_dump_json()])
    assert asyncio.run(decompose(QUESTION, chat)) == (SAID, "")
    assert chat.calls == 2


def test_garbage_twice_is_answered_by_the_structure_with_a_note() -> None:
    chat = ScriptedChat(["no idea", "{still: none}"])
    found, note = asyncio.run(decompose(QUESTION, chat))
    assert found == by_structure(QUESTION)
    assert note.startswith("The question was split up by rules instead.")
    assert "scripted gave no usable reply" in note


def test_an_unknown_intent_is_no_usable_reply() -> None:
    odd = json.dumps({"intent": "poetry", "sub_queries": ["Orion"]})
    found, note = asyncio.run(decompose(QUESTION, ScriptedChat([odd, odd])))
    assert found == by_structure(QUESTION)
    assert "intent" in note


def test_a_model_that_never_answers_is_cut_off_and_noted() -> None:
    chat = MeteredChat(ScriptedChat([Silence()]), Meter(), retries=Retries(attempts=1), timeout_s=0.01)
    found, note = asyncio.run(decompose(QUESTION, chat))
    assert found == by_structure(QUESTION)
    assert note


def test_a_spent_budget_is_noted_and_the_structure_answers() -> None:
    chat = MeteredChat(ScriptedChat([SAID.model_dump_json()]), Meter(Budget(calls=0)))
    found, note = asyncio.run(decompose(QUESTION, chat))
    assert found == by_structure(QUESTION)
    assert "limit" in note


def test_blank_and_repeated_sub_queries_of_a_model_are_dropped() -> None:
    said = json.dumps({"intent": "lookup", "sub_queries": [" Orion overview ", "", "Orion overview"]})
    assert asyncio.run(decompose(QUESTION, ScriptedChat([said]))).decomposition.sub_queries == ["Orion overview"]


def test_a_model_that_names_nothing_to_search_for_is_not_followed() -> None:
    said = json.dumps({"intent": "lookup", "sub_queries": [" "]})
    found, note = asyncio.run(decompose(QUESTION, ScriptedChat([said])))
    assert found == by_structure(QUESTION)
    assert "nothing to search for" in note


def test_no_model_is_asked_about_nothing_or_about_a_document() -> None:
    chat = ScriptedChat([])
    for question in ("", "\x00", "why " * 3_000):
        assert asyncio.run(decompose(question, chat)) == (by_structure(question), "")
    assert chat.calls == 0


def test_words_picked_from_a_question_are_no_queries() -> None:
    question = "When does production in Ostrava start?"
    picked = Decomposition(intent="date", sub_queries=["Ostrava", "production", "start"])
    found, note = asyncio.run(decompose(question, ScriptedChat([picked.model_dump_json()])))
    assert found == by_structure(question)
    assert "named nothing to search for" in note
    mixed = Decomposition(intent="date", sub_queries=["Ostrava", "start of production in Ostrava"])
    found, note = asyncio.run(decompose(question, ScriptedChat([mixed.model_dump_json()])))
    assert (found.sub_queries, note) == (["start of production in Ostrava"], "")


def test_queries_that_lose_a_name_or_a_time_are_not_followed() -> None:
    for question, query, lost in (
        ("When does production in Ostrava start?", "When does production start?", "Ostrava"),
        ("What did Orion earn in 2024?", "What did Orion earn?", "2024"),
    ):
        said = Decomposition(intent="lookup", sub_queries=[query])
        found, note = asyncio.run(decompose(question, ScriptedChat([said.model_dump_json()])))
        assert found == by_structure(question)
        assert note.endswith(f"left out “{lost}”.")
