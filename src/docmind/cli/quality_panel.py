"""How good an answer is, for people: its scores, and what held them down."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from docmind.cli.terminal import printable

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
