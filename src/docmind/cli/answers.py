"""Answers for people: what was answered, how sure and how good it is, and the very characters it rests on."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from docmind.cli.charts import drawing_of, show_chart
from docmind.cli.history import show_trace
from docmind.cli.terminal import READABLE_WIDTH, printable
from docmind.cli.wrapping import lines
from docmind.domain.answers import Citation, Clarification, NearPassage, RunResult, Status
from docmind.quality.latex.formulas import readable
from docmind.quality.sentences import split

_SCORES = {
    "faithfulness": "faithful to its sources",
    "relevance": "speaks to the question",
    "completeness": "answers all of it",
    "reasoning_quality": "well reasoned",
    "overall": "overall",
}
_BAR = 20
_GOOD, _FAIR = 0.8, 0.6


def show_quality(console: Console, evaluation: Mapping[str, Any]) -> None:
    lines = Table(box=None, pad_edge=False, show_header=False)
    for name, title in _SCORES.items():
        if name in evaluation:
            lines.add_row(title, _bar(evaluation[name]), f"{evaluation[name]:.2f}")
    console.print(Text("Quality, each score from 0 to 1:", style="dim"))
    console.print(lines)
    for told in (*evaluation.get("clamps", ()), *evaluation.get("penalties", ())):
        console.print(Text(printable(told), style="yellow"), soft_wrap=True)
    for gap in evaluation.get("logical_gaps", ()):
        console.print(Text(f"Left open: {printable(gap)}", style="yellow"), soft_wrap=True)


def _bar(score: float) -> Text:
    filled = round(score * _BAR)
    colour = "green" if score >= _GOOD else "yellow" if score >= _FAIR else "red"
    return Text.assemble(("█" * filled, colour), ("░" * (_BAR - filled), "dim"))


_INDENT = "     "
_CHART = re.compile(r"\[CHART:(\d{1,4}+)\]")
_SURE = 0.7


def show(
    console: Console,
    result: RunResult,
    names: Mapping[str, str],
    *,
    resume: str | None = None,
    with_trace: bool = False,
    images: Mapping[int, Path] | None = None,
) -> None:
    """`resume` is the command that goes on with a run that waits for an answer; `images` are charts in files."""
    width = min(console.width, READABLE_WIDTH) if console.is_terminal else None
    if result.answer:
        _show_answer(console, result, width)
    for number, file in (images or {}).items():
        console.print(Text(f"Chart {number}: {file}", style="dim"), soft_wrap=True)
    if result.status in (Status.REFUSED, Status.FAILED) and (reason := _reason(result)):
        console.print(Text(printable(reason), style="dim"), width=width)
    if result.citations:
        console.print()
        for citation in result.citations:
            _show_source(console, citation, names.get(citation.document, ""), width)
    _show_sureness(console, result)
    for notice in result.notices:
        console.print(Text(printable(notice), style="yellow"), soft_wrap=True)
    if result.clarification is not None:
        if result.answer:
            console.print()
        _show_question(console, result.clarification, resume, width)
    if result.nearest:
        _show_nearest(console, result.nearest, names, width)
    if with_trace:
        console.print()
        show_trace(console, result)


def _show_answer(console: Console, result: RunResult, width: int | None) -> None:
    """The text, on a terminal with each chart in its place."""
    charts = {str(chart["number"]): chart["config"] for chart in result.charts}
    for place, part in enumerate(_CHART.split(readable(result.answer))):
        if place % 2 == 0:
            console.print(printable(part.rstrip("\n") if charts else part), width=width, soft_wrap=width is None)
            continue
        console.print()
        drawing = drawing_of(charts[part]) if part in charts else None
        if width is not None and drawing is not None:
            show_chart(console, drawing, width)
        else:
            name = f"Chart {part}: {drawing.title}" if drawing is not None else f"Chart {part}"
            console.print(Text(f"({name})"), soft_wrap=True)


def _show_sureness(console: Console, result: RunResult) -> None:
    if result.confidence_in_words is not None:
        sureness = "bold green" if result.confidence >= _SURE and not result.unsure else "yellow"
        console.print()
        console.print(Text.assemble("Confidence: ", (result.confidence_in_words, sureness)))
    if result.evaluation is not None and result.citations:
        console.print()
        show_quality(console, result.evaluation)


def _show_question(console: Console, asked: Clarification, resume: str | None, width: int | None) -> None:
    console.print(printable(asked.question), width=width)
    for option in asked.options:
        console.print(f"  - {printable(option)}", soft_wrap=True)
    if resume is not None:
        console.print(Text(f"Answer with `{resume} ANSWER`.", style="dim"), soft_wrap=True)


def _reason(result: RunResult) -> str:
    """Why there is no answer, as the last step that decided tells it and the answer does not."""
    if result.withheld is not None:
        return ""
    reason = next((event.reason for event in reversed(result.trace) if event.reason), "")
    return "" if all(sentence.text in result.answer for sentence in split(reason)) else reason


def _show_nearest(
    console: Console, nearest: Sequence[NearPassage], names: Mapping[str, str], width: int | None
) -> None:
    """What may be read instead of an answer; without numbers and quotation marks, which are those of sources."""
    console.print()
    console.print(Text("The nearest passages:", style="dim"))
    for one in nearest:
        place = (printable(names.get(one.document, one.source)), *([f"page {one.page}"] if one.page else []))
        below = [part for part in one.heading if not part.startswith(one.title)]
        console.print(Text.assemble("  - ", printable(" > ".join((one.title, *below)))), soft_wrap=True)
        for line in lines(printable(one.excerpt), width - len(_INDENT)) if width else [printable(one.excerpt)]:
            console.print(Text(_INDENT + line, style="dim"), soft_wrap=True)
        console.print(Text(_INDENT + ", ".join(place), style="cyan"), soft_wrap=True)


def _show_source(console: Console, citation: Citation, name: str, width: int | None) -> None:
    page = f", page {citation.page}" if citation.page else ""
    console.print(
        Text.assemble((f"{citation.marker:>4} ", "dim"), (printable(citation.title), "bold"), page), soft_wrap=True
    )
    quote = " ".join(printable(citation.quote).split())
    for line in lines(f"“{quote}”", width - len(_INDENT)) if width else [f"“{quote}”"]:
        console.print(Text(_INDENT + line), soft_wrap=True)
    cell = f", cell {printable(citation.cell)}" if citation.cell else ""
    where = f"{printable(name)}{page}{cell}, characters {citation.start}–{citation.end}"
    console.print(Text(_INDENT + where, style="cyan"), soft_wrap=True)
