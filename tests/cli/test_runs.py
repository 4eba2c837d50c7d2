"""`docmind runs`: what was asked, what it gave, going on with what was interrupted, and forgetting it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer, interrupt

from docmind.domain.answers import RunResult, RunUsage, Status
from docmind.domain.budget import Most
from docmind.runtime.workflows import WORKFLOWS, Graph, Workflow
from docmind.workflows.services import Services
from docmind.workflows.step import Step
from tests.openai_server import Server

DocMind = Callable[..., Any]

QUESTION = "What did the board approve the purchase of?"


@pytest.fixture
def asked(filled: DocMind) -> str:
    """The id of a run that has ended."""
    return str(json.loads(filled("ask", QUESTION, "--json").out)["run_id"])


def test_runs_are_listed_newest_first(filled: DocMind, asked: str) -> None:
    filled("ask", "Who won the chess championship in Reykjavik?")
    told = filled("runs")
    head, refused, answered = told.out.splitlines()
    assert head.split() == ["run", "when", "workflow", "state", "outcome", "seconds", "question"]
    assert "ended" in refused
    assert "refused" in refused
    assert answered.startswith(asked[:8])
    assert answered.rstrip().endswith(QUESTION)
    rows = json.loads(filled("runs", "list", "--limit", "1", "--json").out)
    assert [(row["state"], row["status"], row["workflow"]) for row in rows] == [("ended", "refused", "docs")]


def test_a_run_is_shown_with_the_path_it_took(filled: DocMind, asked: str) -> None:
    told = filled("runs", "show", asked[:8])
    assert told.out.startswith(f"{QUESTION}\n**The Halden mill**\n\nThe board approved the purchase of the Halden mill")
    assert [line.split()[2] for line in told.out.splitlines()[-6:-1]] == [
        "decompose", "retrieve", "generate", "judge", "output",
    ]  # fmt: skip
    shown = json.loads(filled("runs", "show", asked, "--json").out)
    assert shown["result"]["run_id"] == shown["run_id"] == asked


def test_nobody_sees_the_runs_of_others(filled: DocMind, asked: str) -> None:
    for scope in (("--workspace", "other"), ("--user", "ada")):
        assert "No questions have been asked" in filled("runs", *scope).err
        for command in (["runs", "show"], ["runs", "resume"], ["runs", "delete", "--yes"], ["replay"]):
            told = filled(*command, asked, *scope)
            assert (told.code, told.out) == (1, "")
            assert told.err.startswith(f"docmind: There is no run '{asked}' in workspace")


def test_a_run_that_has_ended_gives_its_result_once_more(filled: DocMind, asked: str) -> None:
    assert json.loads(filled("runs", "resume", asked, "--json").out)["run_id"] == asked
    assert len(json.loads(filled("runs", "--json").out)) == 1


def test_a_run_is_deleted_when_it_is_said_so(filled: DocMind, asked: str) -> None:
    assert "add --yes" in filled("runs", "delete", asked).err
    assert filled("runs", "delete", asked[:8], "--yes").out == f"deleted  {asked[:8]}\n"
    assert "No questions have been asked in workspace 'default' yet" in filled("runs").err


def _heed_interrupts() -> None:
    """Programs that a shell started in the background inherit that interrupts are ignored, tests among them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupted_question_says_how_to_go_on_and_does(
    filled: DocMind, chat_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat_server.play(chat_server.hangs())
    process = subprocess.Popen(
        [str(Path(sys.executable).with_name("docmind")), "ask", QUESTION],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DOCMIND_MODELS__CHAT": chat_server.url},
        preexec_fn=_heed_interrupts,  # noqa: PLW1509 - it touches nothing that a thread could hold
    )
    while not chat_server.requests and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    [run] = json.loads(filled("runs", "--json").out)
    bounds, interrupted = told.splitlines()
    assert bounds.startswith("At most 24 model calls that read ")
    assert interrupted == f"docmind: Interrupted. Continue with `docmind runs resume {run['run_id'][:8]}`."
    assert (run["state"], run["reason"]) == ("stopped", "It was interrupted.")
    assert "`docmind runs resume" in filled("runs", "show", run["run_id"]).out
    assert filled("runs", "resume", run["run_id"][:8]).out.startswith(
        "**The Halden mill**\n\nThe board approved the purchase"
    )
    assert json.loads(filled("runs", "--json").out)[0]["state"] == "ended"


class _Asked(TypedDict, total=False):
    question: str
    trace: list[dict[str, Any]]


async def _clarify(state: _Asked, runtime: Runtime[Services]) -> _Asked:
    step = Step("clarify", state, runtime)
    board = interrupt({"question": "Which board?", "options": ["Halden", "Orrin"]})
    return {"question": f"{state['question']} {board}", "trace": [step.decided("asked")]}


def _build(_services: Services, checkpointer: Checkpointer) -> Graph:
    graph = StateGraph(_Asked, context_schema=Services)
    graph.add_node("clarify", _clarify)
    graph.add_edge(START, "clarify")
    graph.add_edge("clarify", END)
    return graph.compile(checkpointer=checkpointer)


def _finish(state: Any, *, run_id: str, usage: RunUsage) -> RunResult:
    return RunResult(
        run_id=run_id, workflow="asking", status=Status.ANSWERED, answer=f"You asked: {state['question']}", usage=usage
    )


def test_a_question_of_the_run_is_shown_with_the_way_to_answer_it(
    filled: DocMind, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = Workflow(
        name="asking",
        title="Asking",
        about="Asks back.",
        build=_build,
        start=lambda question: {"question": question},
        finish=_finish,
        bounds=lambda _services: Most(1),
    )
    monkeypatch.setitem(WORKFLOWS, "asking", asking)
    told = filled("ask", "Who sits on it?", "--workflow", "asking")
    [run] = json.loads(filled("runs", "--json").out)
    resume = f"docmind runs resume {run['run_id'][:8]}"
    assert told.out == f"Which board?\n  - Halden\n  - Orrin\nAnswer with `{resume} ANSWER`.\n"
    assert run["state"] == "waiting"
    assert "Resume it with one" in filled("runs", "resume", run["run_id"]).err
    assert filled("runs", "resume", run["run_id"], "Orrin").out == "You asked: Who sits on it? Orrin\n"
