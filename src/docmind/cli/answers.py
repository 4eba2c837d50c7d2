"""Answers for people: what was answered, how sure it is, and the very characters it rests on."""

import textwrap
from collections.abc import Mapping

from rich.console import Console
from rich.text import Text

from docmind.cli.terminal import READABLE_WIDTH, printable
from docmind.domain.answers import Citation, RunResult, Status

_INDENT = "     "
_SURE = 0.8


def show(console: Console, result: RunResult, names: Mapping[str, str], *, with_trace: bool = False) -> None:
    width = min(console.width, READABLE_WIDTH) if console.is_terminal else None
    console.print(printable(result.answer), width=width)
    if result.status is not Status.ANSWERED and (reason := _reason(result)):
        console.print(Text(reason, style="dim"), width=width)
    if result.citations:
        console.print()
        for citation in result.citations:
            _show_source(console, citation, names.get(citation.document, ""), width)
        sureness = "bold green" if result.confidence >= _SURE else "yellow"
        console.print()
        console.print(Text.assemble("Confidence ", (f"{result.confidence:.0%}", sureness)))
    if with_trace:
        console.print()
        _show_trace(console, result)


def _reason(result: RunResult) -> str:
    """Why there is no answer, as the last step that decided tells it."""
    return next((event.reason for event in reversed(result.trace) if event.reason), "")


def _show_source(console: Console, citation: Citation, name: str, width: int | None) -> None:
    page = f", page {citation.page}" if citation.page else ""
    console.print(
        Text.assemble((f"{citation.marker:>4} ", "dim"), (printable(citation.title), "bold"), page), soft_wrap=True
    )
    quote = " ".join(printable(citation.quote).split())
    for line in textwrap.wrap(f"“{quote}”", width - len(_INDENT)) if width else [f"“{quote}”"]:
        console.print(Text(_INDENT + line), soft_wrap=True)
    where = f"{printable(name)}{page}, characters {citation.start}–{citation.end}"
    console.print(Text(_INDENT + where, style="cyan"), soft_wrap=True)


def _show_trace(console: Console, result: RunResult) -> None:
    for event in result.trace:
        console.print(
            Text.assemble(
                (f"{event.node:<10}", "bold"),
                f"{event.seconds * 1000:>7.0f} ms  {event.decision}",
                (f"  {printable(event.reason)}" if event.reason else "", "dim"),
            ),
            soft_wrap=True,
        )
    calls, seconds = result.usage.model_calls, result.usage.seconds
    console.print(Text(f"{calls} model calls, {seconds:.2f} s, run {result.run_id}", style="dim"))
