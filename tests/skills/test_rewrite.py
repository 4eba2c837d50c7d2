"""Messages said alone: pronouns, fragments, counting, corrections; and what must stay as it is."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.models.chat.recording import ScriptedChat
from docmind.skills.dialogue import History, Turn
from docmind.skills.dialogue.answer_references import items
from docmind.skills.rewrite import by_structure, rewrite

LEAVE = Turn("How many days of leave are there after 3 years of service?", "24 days.")
PRICE = Turn("What is the price per kilowatt of a Nakagiri heat pump?", "EUR 540.")
CHAIR = Turn("Who chairs the committee?", "Anna Kovar chairs the committee.")


@pytest.mark.parametrize(
    ("before", "message", "alone"),
    [
        (LEAVE, "what about for 5?", "How many days of leave are there after 5 years of service?"),
        (Turn("What was the revenue of Ellandor in 2023?"), "and in 2024?",
         "What was the revenue of Ellandor in 2024?"),
        (Turn("What was the revenue of Ellandor in 2023?"), "and the year before?",
         "What was the revenue of Ellandor in 2022?"),
        (Turn("What was the revenue of Ellandor in 2023?"), "And Brackwater?",
         "What was the revenue of Brackwater in 2023?"),
        (Turn("What was the revenue?"), "in 2024?", "What was the revenue in 2024?"),
        (Turn("How long are receipts kept?"), "What about invoices?", "How long are invoices kept?"),
        (Turn("What is the notice period for employees?"), "and for contractors?",
         "What is the notice period for contractors?"),
        (Turn("What is the score in Ireland and Great Britain?"), "and in France?", "What is the score in France?"),
        (Turn("How long does it take in the Netherlands?"), "No, I meant Germany", "How long does it take in Germany?"),
        (Turn("How many people work in Ostrava?"), "not Ostrava, Limerick", "How many people work in Limerick?"),
        (Turn("What is the first condition of the approval?"), "And the second?",
         "What is the second condition of the approval?"),
        (Turn("Which risks are red?", "They are late handover, compressor supply, and grid connection."),
         "Who owns the second one?", "Who owns compressor supply?"),
        (Turn("Which option does management recommend?"), "Why?", "Why does management recommend (option)?"),
        (PRICE, "What is its delivery time?", "What is Nakagiri's delivery time?"),
        (PRICE, "Same question for Kaltwerk", "What is the price per kilowatt of a Kaltwerk heat pump?"),
        (CHAIR, "What else did she say?", "What else did Anna Kovar say?"),
        (Turn("What does resolution IC-2026-07 approve?"), "Who abstained from it?", "Who abstained from IC-2026-07?"),
        (Turn("When are first deliveries of the KW-190 promised?"), "And who abstained from resolution IC-2026-07?",
         "And who abstained from resolution IC-2026-07?"),
        (Turn("When are first deliveries of the KW-190 promised?"), "and for the KW-240?",
         "When are first deliveries of the KW-240 promised?"),
        (Turn("What do customers expect?"), "Where do they live?", "Where do customers live?"),
        (Turn("How many people work in Ostrava?"), "When does work there begin?", "When does work in Ostrava begin?"),
        (Turn("What is the capital budget of Project Heron?"), "When was that decided?",
         "When was that decided (the capital budget of Project Heron)?"),
        (Turn("How long are receipts kept?", "Ten years."), "Where does it say that?", "How long are receipts kept?"),
    ],
)  # fmt: skip
def test_what_a_message_takes_from_the_conversation_is_written_out(before: Turn, message: str, alone: str) -> None:
    assert by_structure(message, History((before,))) == alone


@pytest.mark.parametrize(
    "message",
    [
        "Which countries should Varmoor enter first according to the market study?",
        "When was the VT-200 launched, and what is its price?",
        "Is it possible to pay in instalments?",
        "What does the policy that applies to contractors say about travel?",
        "Who leads the IT department?",
        "Are there any exceptions for interns?",
        "travel policy",
    ],
)
def test_a_message_that_can_be_understood_alone_stays_exactly_as_it_is(message: str) -> None:
    assert by_structure(message, History((CHAIR, PRICE))) == message
    assert by_structure(message, History()) == message


def test_a_woman_is_not_taken_for_the_man_who_was_spoken_of_before() -> None:
    history = History((
        Turn("Erik Lund"),
        Turn("Where did Erik Lund work?", "In Bergen.", "Where did he work?"),
        Turn("Who did Erik Lund marry?", "Marta Holm", "Who did he marry?"),
    ))  # fmt: skip
    assert by_structure("Where was she born?", history) == "Where was Marta Holm born?"
    assert by_structure("When did they marry?", history) == "When did Erik Lund and Marta Holm marry?"


@pytest.mark.parametrize(
    ("answer", "listed"),
    [
        ("1. Oak [1]\n2. Pine [2]\n", ["Oak", "Pine"]),
        ("The conditions are: it is granted; three orders are signed; it is approved [1].",
         ["it is granted", "three orders are signed", "it is approved"]),
        ("There is one thing.", []),
    ],
)  # fmt: skip
def test_the_items_of_an_answer_can_be_counted(answer: str, listed: list[str]) -> None:
    assert items(answer) == listed


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_no_text_is_too_strange_to_be_read(message: str, question: str, answer: str) -> None:
    assert isinstance(by_structure(message, History((Turn(question, answer),))), str)


def written(message: str, *lines: str) -> tuple[str, str]:
    return asyncio.run(rewrite(message, History((PRICE,)), ScriptedChat(lines)))


def test_a_chat_model_writes_the_question_out() -> None:
    said = "What is the delivery time of a Nakagiri heat pump?"
    assert written("And its delivery time?", json.dumps({"question": said})) == (said, "")


def test_a_chat_model_that_loses_a_name_or_says_nonsense_is_not_believed() -> None:
    lost, note = written("And Kaltwerk?", json.dumps({"question": "What is the price?"}))
    assert lost == "What is the price per kilowatt of a Kaltwerk heat pump?"
    assert "left out “Kaltwerk”" in note
    broken, note = written("And Kaltwerk?", "no", "no")
    assert broken == lost
    assert note.startswith("The question was completed by rules instead.")
