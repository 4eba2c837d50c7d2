"""Draws a chart with the characters of a terminal: a bar for every point, whatever kind of chart it is."""

from rich.console import Console
from rich.text import Text

from docmind.cli.charts.figure import Drawing, number
from docmind.cli.terminal import printable

_EIGHTHS = " ▏▎▍▌▋▊▉"
_WHOLE = "█"
_NEGATIVE = "▒"
_LONGEST_BAR = 44
_LONGEST_LABEL = 28


def show_chart(console: Console, drawing: Drawing, width: int) -> None:
    console.print(Text(printable(drawing.title), style="bold"), width=width)
    labels = [_cut(printable(label)) for label in drawing.labels]
    column = max(map(len, labels))
    most = max((abs(value) for value in drawing.values), default=0.0)
    written = max((len(_told(drawing, value)) for value in drawing.values), default=0)
    room = max(4, min(_LONGEST_BAR, width - column - written - 6))
    for row in drawing.rows:
        if len(drawing.rows) > 1:
            console.print(Text(f"  {printable(row.name)}", style=row.colours[0]), width=width)
        for label, value, colour in zip(labels, row.values, row.colours, strict=True):
            bar = "" if value is None else _bar(value, most, room)
            told = "–" if value is None else _told(drawing, value)
            console.print(
                Text.assemble(f"  {label:<{column}} ", (f"{bar:<{room}}", colour), f" {told:>{written}}"),
                soft_wrap=True,
            )
    console.print(Text(printable(drawing.source), style="dim"), width=width)


def _bar(value: float, most: float, room: int) -> str:
    """As long as it is great, to an eighth of a character; what is below zero is drawn lighter."""
    eighths = round(abs(value) / most * room * 8) if most else 0
    if value < 0:
        return _NEGATIVE * max(1, eighths // 8)
    return _WHOLE * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _told(drawing: Drawing, value: float) -> str:
    whole = sum(drawing.values)
    share = f" ({value / whole:.1%})" if drawing.kind in ("pie", "doughnut") and whole else ""
    return f"{number(value)}{share}"


def _cut(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
