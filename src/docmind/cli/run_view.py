"""Runs for people: a table of them, and the path that one took."""

import textwrap
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from docmind.cli import spending
from docmind.cli.tables import Column, show_table
from docmind.cli.terminal import printable
from docmind.domain.answers import RunResult

if TYPE_CHECKING:
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
