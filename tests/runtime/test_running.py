"""Runs from any side: blocking, on an event loop, watched; recorded, and taken up again where they stopped."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from docmind.domain.answers import Citation, RunResult, Status
from docmind.domain.errors import BudgetExhausted, InvalidQuery, ModelError, NotFound
from docmind.domain.scope import Scope
from docmind.domain.stream import ClaimChecked, DraftText, NodeDecided, NodeStarted, Resulted, RunStarted, StreamEvent
from docmind.memory.run import RunState
from docmind.models.chat.model import Message
from docmind.models.chat.recording import Broken, Line, ScriptedChat, Silence
from docmind.runtime.engine import DocMind
from docmind.settings import BudgetSettings, DatabaseSettings

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
PATH = ["decompose", "retrieve", "generate", "judge", "output"]
BREAKDOWN = json.dumps({"intent": "quantity", "sub_queries": [QUESTION]})
FAITHFUL = "Receipts are kept for ten years [1]."
WRONG = "Receipts are kept for six years [1]."

Open = Callable[..., DocMind]


def alike(result: RunResult) -> str:
    """The result without what no two runs have in common."""
    times = {"started", "seconds"}
    return result.model_dump_json(exclude={"run_id": True, "usage": {"seconds"}, "trace": {"__all__": times}})


def drafted(events: Sequence[StreamEvent]) -> list[str]:
    """The drafts as a reader puts them together."""
    drafts: list[str] = []
    for event in events:
        if isinstance(event, DraftText):
            drafts = [*drafts, event.text] if event.fresh else [*drafts[:-1], drafts[-1] + event.text]
    return drafts


@pytest.mark.parametrize("workflow", ["docs", "strategy", "chat", "finance"])
def test_citations_name_the_file_whatever_the_workflow(opened: Open, workflow: str) -> None:
    result = opened().run(QUESTION, SCOPE, workflow=workflow)
    assert {cited.source for cited in result.citations} == {"receipts.md"}


def test_a_citation_that_was_recorded_without_its_file_is_still_read() -> None:
    recorded = {"marker": "[1]", "document": "d", "title": "t", "page": None, "start": 0, "end": 1, "quote": "q"}
    assert Citation.model_validate({**recorded, "support": 1.0}).source == ""


def test_the_same_comes_from_every_side(opened: Open) -> None:
    engine = opened()

    async def on_a_loop() -> list[RunResult]:
        streamed = [event async for event in engine.astream(QUESTION, SCOPE)][-1]
        assert isinstance(streamed, Resulted)
        return [streamed.result, *await asyncio.gather(*(engine.arun(QUESTION, SCOPE) for _ in range(3)))]

    first = engine.run(QUESTION, SCOPE)
    *_, last = engine.stream(QUESTION, SCOPE)
    assert isinstance(last, Resulted)
    results = [first, last.result, *asyncio.run(on_a_loop())]
    assert first.status is Status.ANSWERED
    assert len({alike(result) for result in results}) == 1
    assert {run.id for run in engine.runs(SCOPE)} == {result.run_id for result in results}


def test_a_stream_tells_each_step_as_it_goes_and_what_is_draft(opened: Open) -> None:
    told = list(opened(ScriptedChat([BREAKDOWN, WRONG, FAITHFUL])).stream(QUESTION, SCOPE))
    assert isinstance(told[0], RunStarted)
    assert (told[0].workflow, told[0].most_steps, told[0].most_model_calls) == ("docs", 8, 12)
    begun = [event.node for event in told if isinstance(event, NodeStarted)]
    assert begun == ["decompose", *["retrieve", "generate", "judge"] * 2, "output"]
    assert drafted(told) == [WRONG, FAITHFUL]
    assert sum(isinstance(event, DraftText) for event in told) > 10
    assert [event.claim.status for event in told if isinstance(event, ClaimChecked)] == ["contradicted", "supported"]
    decided = [event.event for event in told if isinstance(event, NodeDecided)]
    assert isinstance(told[-1], Resulted)
    assert told[-1].result.trace == decided
    assert told[-1].result.answer == FAITHFUL


def test_a_draft_that_breaks_off_is_void_and_the_documents_answer_afresh(opened: Open) -> None:
    told = list(opened(ScriptedChat([BREAKDOWN, Broken("Receipts are kept for")])).stream(QUESTION, SCOPE))
    drafts = drafted(told)
    assert drafts[0].startswith("Receipts are kept for")
    assert isinstance(told[-1], Resulted)
    assert drafts[1] == told[-1].result.answer
    assert drafts[1].startswith("**Ten years**\n\nReceipts are kept for ten years. [1]")


def test_each_step_knows_when_it_began_and_what_it_spent(opened: Open) -> None:
    chat = ScriptedChat(["nonsense", BREAKDOWN, FAITHFUL])
    result = opened(chat).run(QUESTION, SCOPE)
    assert [event.model_calls for event in result.trace] == [2, 0, 1, 0, 0]
    assert [event.tokens > 0 for event in result.trace] == [True, False, True, False, False]
    assert result.usage.model_calls == chat.calls == 3
    assert result.usage.tokens == sum(event.tokens for event in result.trace)
    begun = [event.started for event in result.trace]
    assert begun == sorted(begun)
    assert begun[0] > 0
    ends = [event.started + event.seconds for event in result.trace]
    assert all(end <= after + 0.001 for end, after in zip(ends, begun[1:], strict=False))


def test_a_run_that_failed_goes_on_without_asking_again_what_was_answered(opened: Open) -> None:
    def fails(messages: Sequence[Message]) -> Line:
        return RuntimeError("out of order") if "Passages:" in messages[-1].content else BREAKDOWN

    with pytest.raises(RuntimeError, match="out of order"):
        opened(ScriptedChat(fails)).run(QUESTION, SCOPE)
    chat = ScriptedChat([FAITHFUL])
    engine = opened(chat)
    (stopped,) = engine.runs(SCOPE)
    assert (stopped.state, stopped.reason) == (RunState.STOPPED, "out of order")
    result = engine.resume(stopped.id[:8], SCOPE)
    assert (result.answer, chat.calls, result.usage.model_calls) == (FAITHFUL, 1, 2)
    assert [event.node for event in result.trace] == PATH
    assert engine.resume(stopped.id, SCOPE) == result
    assert chat.calls == 1


def test_who_stops_reading_stops_the_run_and_it_can_go_on(opened: Open) -> None:
    # Silent, so that the run cannot end before it is stopped.
    said: list[Line] = [Silence()]
    engine = opened(ScriptedChat(lambda _: said[-1]))
    events = engine.stream(QUESTION, SCOPE)
    assert isinstance(next(events), RunStarted)
    events.close()  # type: ignore[attr-defined]
    engine.close()
    (stopped,) = engine.runs(SCOPE)
    assert (stopped.state, stopped.reason) == (RunState.STOPPED, "It was interrupted.")
    said.append(ModelError("It is out of order."))
    assert engine.resume(stopped.id, SCOPE).status is Status.ANSWERED


def test_a_run_belongs_to_who_asked(opened: Open) -> None:
    engine = opened()
    mine = Scope("w", "ada")
    run = engine.run(QUESTION, mine).run_id
    for other in (SCOPE, Scope("w", "bob"), Scope("v", "ada")):
        assert engine.runs(other) == []
        for reach in (engine.resume, engine.replay, engine.find_run, engine.delete_run):
            with pytest.raises(NotFound, match=f"There is no run '{run}'"):
                reach(run, other)
    assert engine.find_run(run, mine).scope == mine


def test_a_deleted_run_leaves_nothing_behind(opened: Open, home: Path) -> None:
    engine = opened()
    run = engine.run(QUESTION, SCOPE).run_id
    assert engine.delete_run(run, SCOPE).question == QUESTION
    assert engine.runs(SCOPE) == []
    engine.close()
    for file in ("runs.db", "checkpoints.db"):
        assert run.encode() not in (home / file).read_bytes()


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (BudgetSettings(calls=11), "can take 12 model calls with these settings, and DOCMIND_BUDGET__CALLS allows 11"),
        (BudgetSettings(tokens=1000), "A limit of 1000 tokens leaves no room for the one call that writes an answer"),
    ],
)
def test_a_run_that_cannot_fit_the_budget_does_not_start(opened: Open, budget: BudgetSettings, told: str) -> None:
    engine = opened(chat := ScriptedChat([]), budget=budget)
    with pytest.raises(BudgetExhausted, match=told):
        engine.run(QUESTION, SCOPE)
    assert (chat.calls, engine.runs(SCOPE)) == (0, [])


def test_what_is_left_of_the_budget_is_kept_for_the_answer(opened: Open) -> None:
    chat = ScriptedChat(lambda messages: FAITHFUL if "Passages:" in messages[-1].content else BREAKDOWN)
    result = opened(chat, budget=BudgetSettings(tokens=1900)).run(QUESTION, SCOPE)
    assert result.answer == FAITHFUL
    assert [event.model_calls for event in result.trace] == [0, 0, 1, 0, 0]
    assert "besides the reserve for the answer" in result.trace[0].note


def test_without_a_model_no_budget_is_too_small(opened: Open) -> None:
    assert opened(budget=BudgetSettings(calls=1, tokens=1)).run(QUESTION, SCOPE).status is Status.ANSWERED


@pytest.mark.parametrize(
    ("question", "options", "told"),
    [
        (" ", {}, "empty"),
        ("x" * 100_000, {}, "10,000"),
        (QUESTION, {"workflow": "poetry"}, "no workflow called 'poetry'"),
        (QUESTION, {"thread": "t"}, "has no conversations"),
    ],
)
def test_what_cannot_be_asked_starts_no_run(opened: Open, question: str, options: dict[str, Any], told: str) -> None:
    engine = opened()
    with pytest.raises(InvalidQuery, match=told):
        engine.run(question, SCOPE, **options)
    assert engine.runs(SCOPE) == []


def test_a_program_that_never_closes_its_engine_ends(home: Path) -> None:
    program = (
        "from docmind import DocMind, Scope, Settings\n"
        f"engine = DocMind(Settings.load(data_dir={str(home)!r}, models={{'embedder': 'static'}}))\n"
        f"print(engine.run({QUESTION!r}, Scope('w')).status)\n"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout, told.stderr) == (0, "answered\n", "")


@pytest.mark.services
def test_runs_are_kept_on_a_server_that_installations_share(opened: Open, postgres_url: str, tmp_path: Path) -> None:
    paper = tmp_path / "receipts.md"
    paper.write_text("# Receipts\n\nReceipts are kept for ten years.\n")
    chat = ScriptedChat([BREAKDOWN, RuntimeError("out of order")])
    engine = opened(chat, data_dir=tmp_path / "one", database=DatabaseSettings(url=postgres_url))
    engine.ingest([paper], SCOPE)
    with pytest.raises(RuntimeError, match="out of order"):
        engine.run(QUESTION, SCOPE)
    # What the second installation needs of the index is on record.
    engine = opened(ScriptedChat([FAITHFUL]), data_dir=tmp_path / "two", database=DatabaseSettings(url=postgres_url))
    (stopped,) = engine.runs(SCOPE)
    assert engine.resume(stopped.id, SCOPE).answer == FAITHFUL
    assert engine.replay(stopped.id, SCOPE).difference is None
