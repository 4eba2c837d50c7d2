"""Conversations as the engine keeps them: owned, exported, forgotten, answered tomorrow, and never mixed up."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from docmind.domain.answers import RunResult, Status
from docmind.domain.errors import InvalidQuery, NotFound
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import ChatSettings, ModelSettings, Settings

SCOPE, ADA, BEN = Scope("w"), Scope("w", "ada"), Scope("w", "ben")
QUESTION = "How long are receipts kept?"
UNCLEAR = "How long are they kept?"
Open = Callable[..., DocMind]


def test_the_mode_comes_from_the_setting_and_a_request_overrides_it(opened: Open) -> None:
    engine = opened()
    assert nodes(engine.run(QUESTION, SCOPE, workflow="chat"))[0] == "classify"
    assert nodes(engine.run(QUESTION, SCOPE, workflow="chat", conversational=True))[0] == "router"
    assert nodes(engine.run(QUESTION, SCOPE, workflow="chat", thread="t"))[0] == "router"
    engine = opened(conversational_mode=True)
    assert nodes(engine.run(QUESTION, SCOPE, workflow="chat"))[0] == "router"
    simple = engine.run(QUESTION, SCOPE, workflow="chat", conversational=False)
    assert (nodes(simple)[0], simple.workflow) == ("classify", "chat")
    with pytest.raises(InvalidQuery, match="has no conversations"):
        engine.run(QUESTION, SCOPE, workflow="chat", thread="t", conversational=False)


def test_a_thread_belongs_to_its_scope_and_is_not_found_by_another(opened: Open) -> None:
    engine = opened()
    engine.run(QUESTION, ADA, workflow="chat", thread="t")
    assert [thread.id for thread in engine.threads(ADA)] == ["t"]
    for other in (BEN, SCOPE, Scope("v", "ada")):
        assert engine.threads(other) == []
        for forbidden in (engine.find_thread, engine.export_thread, engine.delete_thread):
            with pytest.raises(NotFound, match="There is no thread 't'"):
                forbidden("t", other)
    # Whoever uses the same name has a conversation of their own: nothing was said in it yet.
    assert engine.run(UNCLEAR, BEN, workflow="chat", thread="t").status is Status.NEEDS_CLARIFICATION


def test_a_conversation_is_remembered_in_another_process_exported_and_forgotten(opened: Open) -> None:
    opened().run(QUESTION, SCOPE, workflow="chat", thread="t")
    engine = opened()
    result = engine.run("And when are they scanned?", SCOPE, workflow="chat", thread="t")
    assert "scanned on arrival" in result.answer
    exported = engine.export_thread("t", SCOPE)
    assert [turn["question"] for turn in exported["turns"]] == [QUESTION, "And when are they scanned?"]
    quotes = [citation["quote"] for citation in exported["turns"][1]["result"]["citations"]]
    assert "They are scanned on arrival." in quotes
    assert engine.delete_thread("t", SCOPE).title == QUESTION
    assert engine.threads(SCOPE) == []
    assert engine.run(UNCLEAR, SCOPE, workflow="chat", thread="t").status is Status.NEEDS_CLARIFICATION


def test_sources_of_earlier_turns_are_gone_with_their_document(opened: Open) -> None:
    engine = opened()
    engine.run(QUESTION, SCOPE, workflow="chat", thread="t")
    engine.delete(["receipts.md"], SCOPE)
    result = engine.run("When are they scanned?", SCOPE, workflow="chat", thread="t")
    assert result.trace[0].decision == "REWRITE_THEN_RETRIEVE"
    assert not result.citations


def test_a_question_that_nobody_answered_expires(home: Path) -> None:
    at_once = ChatSettings(answer_within_h=1e-9)
    with DocMind(Settings(data_dir=home, models=ModelSettings(embedder="static"), chat=at_once)) as engine:
        asked = engine.run(UNCLEAR, SCOPE, workflow="chat", thread="t")
        assert engine.pending(SCOPE) == []
        with pytest.raises(InvalidQuery, match="has expired"):
            engine.resume(asked.run_id, SCOPE, "Receipts")
        assert "ten years" in engine.run(QUESTION, SCOPE, workflow="chat", thread="t").answer


def test_a_thread_that_has_gone_on_waits_for_nothing(opened: Open) -> None:
    engine = opened()
    engine.run(UNCLEAR, SCOPE, workflow="chat", thread="t")
    alone = engine.run(UNCLEAR, SCOPE, workflow="chat", conversational=True)
    engine.run(QUESTION, SCOPE, workflow="chat", thread="t")
    assert [run.id for run in engine.pending(SCOPE)] == [alone.run_id]


def test_a_long_thread_is_compressed_and_still_knows_what_it_is_about(opened: Open) -> None:
    engine = opened()
    for _ in range(9):
        engine.run(QUESTION, SCOPE, workflow="chat", thread="t")
    result = engine.run("And when are they scanned?", SCOPE, workflow="chat", thread="t")
    assert "scanned on arrival" in result.answer
    assert len(engine.find_thread("t", SCOPE).runs) == 10


def test_a_hundred_threads_at_once_are_not_mixed_up(home: Path) -> None:
    questions = [QUESTION, "From when does the cafeteria serve soup?"]
    answers = ["Receipts are kept for ten years", "from eleven to two"]

    async def say(thread: int, message: str) -> str:
        return (await engine.arun(message, SCOPE, workflow="chat", thread=f"t{thread}")).answer

    async def at_once(messages: list[str]) -> list[str]:
        return await asyncio.gather(*(say(thread, message) for thread, message in enumerate(messages)))

    # One passage answers each question: looking for more would only take time.
    chosen = Settings(data_dir=home, models=ModelSettings(embedder="static"), chat=ChatSettings(enough=1))
    with DocMind(chosen) as engine:
        first = asyncio.run(at_once(questions * 50))
        again = asyncio.run(at_once(["Where does it say that?"] * 20))
    assert all(answers[thread % 2] in said for thread, said in enumerate(first))
    assert all(answers[thread % 2] in said for thread, said in enumerate(again))


def nodes(result: RunResult) -> list[str]:
    return [event.node for event in result.trace]
