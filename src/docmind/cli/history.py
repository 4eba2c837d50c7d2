"""Runs and threads for people: tables of them, the path that one took, and a conversation from first to last."""

import textwrap
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from docmind.cli import spending
from docmind.cli.terminal import Column, printable, show_table
from docmind.domain.answers import RunResult

if TYPE_CHECKING:
    from docmind.memory.conversations import Thread
    from docmind.memory.run import Run


_QUESTION_WIDTH = 60


def run_row(run: "Run") -> dict[str, Any]:
    """A run as plain data, without what it gave."""
    return {
        "run_id": run.id,
        "started": _when(run).isoformat(timespec="seconds"),
        "workflow": run.workflow,
        "thread": run.thread,
        "state": run.state.value,
        "status": run.result.status.value if run.result else None,
        "question": run.question,
        "seconds": run.result.usage.seconds if run.result else None,
        "reason": run.reason,
    }


def show_runs(console: Console, runs: Sequence["Run"]) -> None:
    names = ("run", "when", "workflow", "state", "outcome", "seconds", "question")
    columns = [Column(name, name == "seconds", name == "question") for name in names]
    show_table(console, columns, [_cells(run) for run in runs])


def show_trace(console: Console, result: RunResult) -> None:
    """Each step: when it began and how long it took, what it decided, why, and what failed on the way."""
    for event in result.trace:
        told = f"{event.reason} {event.note}".strip()
        calls = f" ({spending.taken(event)})" if event.model_calls else ""
        console.print(
            Text.assemble(
                (f"{event.started:>8.3f} s ", "dim"),
                (f"{event.node:<10}", "bold"),
                f"{event.seconds * 1000:>7.0f} ms  {printable(event.decision)}{calls}",
                (f"  {printable(told)}" if told else "", "dim"),
            ),
            soft_wrap=True,
        )
    usage = result.usage
    told = f"{spending.taken(usage)}, {usage.seconds:.2f} s, run {result.run_id[:8]}"
    console.print(Text(told, style="dim"))


def _cells(run: "Run") -> tuple[str, ...]:
    result = run.result
    return (
        run.id[:8],
        f"{_when(run):%Y-%m-%d %H:%M:%S}",
        run.workflow,
        run.state.value,
        result.status.value.replace("_", " ") if result else "",
        f"{result.usage.seconds:.2f}" if result else "",
        textwrap.shorten(printable(run.question), _QUESTION_WIDTH, placeholder=" …"),
    )


def _when(run: "Run") -> datetime:
    return datetime.fromtimestamp(run.started).astimezone()


def thread_row(thread: "Thread") -> dict[str, Any]:
    """A thread as plain data, without what was said."""
    return {
        "thread": thread.id,
        "workflow": thread.workflow,
        "turns": len(thread.runs),
        "started": _moment(thread.started).isoformat(timespec="seconds"),
        "last_turn": _moment(thread.last_turn).isoformat(timespec="seconds"),
        "waiting": thread.waiting is not None,
        "pinned": thread.label.pinned,
        "title": thread.title,
    }


def show_threads(console: Console, threads: Sequence["Thread"]) -> None:
    names = ("thread", "last turn", "turns", "workflow", "", "title")
    rows = [
        (
            printable(thread.id),
            f"{_moment(thread.last_turn):%Y-%m-%d %H:%M}",
            str(len(thread.runs)),
            thread.workflow,
            ", ".join(filter(None, ("pinned" if thread.label.pinned else "", "asks you" if thread.waiting else ""))),
            printable(thread.title),
        )
        for thread in threads
    ]
    show_table(console, [Column(name, name == "turns", name == "title") for name in names], rows)


def show_thread(console: Console, thread: "Thread") -> None:
    """Every turn: what was asked, what was asked back and replied, and the answer."""
    for run in thread.runs:
        console.print(Text(printable(run.question), style="bold"), soft_wrap=True)
        for answer in run.answers:
            console.print(Text(f"  (asked back, you said: {printable(answer.text)})", style="dim"), soft_wrap=True)
        result = run.result
        if result is None:
            console.print(
                Text(f"  {run.state.value}. {printable(run.reason)}".rstrip(), style="yellow"), soft_wrap=True
            )
        elif result.clarification is not None:
            console.print(Text(f"  {printable(result.clarification.question)}", style="yellow"), soft_wrap=True)
        else:
            console.print(printable(result.answer), soft_wrap=True)
        console.print()


def show_open_questions(console: Console, runs: Sequence["Run"]) -> None:
    """What is asked of the person, in which thread or run, with the likely answers."""
    for run in runs:
        asked = run.result.clarification if run.result else None
        console.print(
            Text.assemble((f"{printable(run.thread or run.id[:8])}  ", "bold"), printable(run.question)), soft_wrap=True
        )
        if asked is not None:
            console.print(f"  {printable(asked.question)}", soft_wrap=True)
            for number, option in enumerate(asked.options, start=1):
                console.print(f"    {number}. {printable(option)}", soft_wrap=True)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds).astimezone()
