"""Charts of an answer: read from Chart.js configurations, drawn with a terminal's characters or as PNG pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import floor, log10
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from docmind.cli.terminal import printable

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a chart, or one colour of its bars; a gap is None."""

    name: str
    values: tuple[float | None, ...]
    colours: tuple[str, ...]
    """One for each value."""


@dataclass(frozen=True, slots=True)
class Drawing:
    kind: str
    title: str
    source: str
    labels: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def values(self) -> list[float]:
        return [value for row in self.rows for value in row.values if value is not None]


def drawing_of(config: Mapping[str, Any]) -> Drawing:
    """Reads a configuration that passed the checks of an answer."""
    labels = tuple(printable(str(label)) for label in config["data"]["labels"])
    plugins = config["options"]["plugins"]
    return Drawing(
        kind=config["type"],
        title=printable(plugins["title"]["text"]),
        source=printable(plugins.get("subtitle", {}).get("text", "")),
        labels=labels,
        rows=tuple(_row(dataset, len(labels)) for dataset in config["data"]["datasets"]),
    )


def _row(dataset: Mapping[str, Any], points: int) -> Row:
    colour = dataset.get("backgroundColor", "#2563eb")
    colours = tuple(colour) if isinstance(colour, list) else (colour,) * points
    return Row(printable(dataset.get("label", "")), tuple(dataset["data"]), colours)


def number(value: float) -> str:
    """As short as it is exact, with thousands apart."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,}"


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


WIDTH, HEIGHT = 1200, 675
_LEFT, _RIGHT, _TOP, _BOTTOM = 150, 40, 120, 110
_INK, _PALE, _GRID = "#111827", "#6b7280", "#e5e7eb"
_STEPS = (1, 2, 2.5, 5, 10)
_TICKS = 5
_RING = 0.55
"""How wide the hole of a doughnut is beside the whole."""


def png(drawing: Drawing) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    page = _Page(ImageDraw.Draw(image), drawing)
    page.head()
    if drawing.kind in ("pie", "doughnut"):
        page.ring()
    else:
        page.axes()
        page.lines() if drawing.kind == "line" else page.bars()
    content = BytesIO()
    image.save(content, "PNG")
    return content.getvalue()


class _Page:
    def __init__(self, draw: "ImageDraw", drawing: Drawing) -> None:
        self._draw, self._drawing = draw, drawing
        values = drawing.values
        self._step = tick(max((0.0, *values)) - min((0.0, *values)))
        self._low = floor(min((0.0, *values)) / self._step) * self._step
        self._high = -floor(-max((0.0, *values)) / self._step) * self._step or self._step

    def head(self) -> None:
        self._write(_LEFT, 34, self._drawing.title, 30, _INK)
        self._write(_LEFT, HEIGHT - 32, self._drawing.source, 16, _PALE)
        if len(self._drawing.rows) > 1:
            at: float = _LEFT
            for row in self._drawing.rows:
                self._draw.rectangle((at, 84, at + 18, 102), fill=row.colours[0])
                at = self._write(at + 26, 93, row.name, 18, _INK) + 30

    def axes(self) -> None:
        ticks = round((self._high - self._low) / self._step)
        for place in range(ticks + 1):
            value = self._low + place * self._step
            y = self._y(value)
            self._draw.line((_LEFT, y, WIDTH - _RIGHT, y), fill=_PALE if value == 0 else _GRID, width=2)
            self._write(_LEFT - 14, y, number(round(value, 6)), 18, _PALE, anchor="rm")
        for place, label in enumerate(self._drawing.labels):
            self._write(self._x(place), HEIGHT - _BOTTOM + 26, label, 18, _INK, anchor="mm")

    def bars(self) -> None:
        rows = self._drawing.rows
        wide = (WIDTH - _LEFT - _RIGHT) / len(self._drawing.labels) * 0.7 / len(rows)
        for n, row in enumerate(rows):
            for place, (value, colour) in enumerate(zip(row.values, row.colours, strict=True)):
                if value is None:
                    continue
                left = self._x(place) + (n - len(rows) / 2) * wide
                top, bottom = sorted((self._y(value), self._y(0.0)))
                self._draw.rectangle((left, top, left + wide * 0.94, bottom), fill=colour)
                self._write(left + wide * 0.47, top - 14, number(value), 17, _INK, anchor="mm")

    def lines(self) -> None:
        for row in self._drawing.rows:
            points = [(self._x(n), self._y(value)) for n, value in enumerate(row.values) if value is not None]
            self._draw.line(points, fill=row.colours[0], width=4, joint="curve")
            told = (value for value in row.values if value is not None)
            for (x, y), value in zip(points, told, strict=True):
                self._draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=row.colours[0])
                self._write(x, y - 22, number(value), 17, _INK, anchor="mm")

    def ring(self) -> None:
        radius, centre, start = 215, (380, 355), -90.0
        row = self._drawing.rows[0]
        whole = sum(value for value in row.values if value is not None)
        box = (centre[0] - radius, centre[1] - radius, centre[0] + radius, centre[1] + radius)
        for place, (label, value, colour) in enumerate(zip(self._drawing.labels, row.values, row.colours, strict=True)):
            share = (value or 0) / whole
            self._draw.pieslice(box, start, start + 360 * share, fill=colour, outline="white", width=3)
            start += 360 * share
            y = 200 + 40 * place
            self._draw.rectangle((680, y - 10, 700, y + 10), fill=colour)
            self._write(714, y, f"{label}: {number(value or 0)} ({share:.1%})", 20, _INK)
        if self._drawing.kind == "doughnut":
            hole = radius * _RING
            inner = (centre[0] - hole, centre[1] - hole, centre[0] + hole, centre[1] + hole)
            self._draw.ellipse(inner, fill="white")

    def _x(self, place: int) -> float:
        return _LEFT + (place + 0.5) * (WIDTH - _LEFT - _RIGHT) / len(self._drawing.labels)

    def _y(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return HEIGHT - _BOTTOM - share * (HEIGHT - _BOTTOM - _TOP)

    def _write(self, x: float, y: float, text: str, size: int, ink: str, *, anchor: str = "lm") -> float:
        """Where the text ends; what does not fit the page is made smaller."""
        font = _font(size)
        while size > 9 and font.getlength(text) > WIDTH - _RIGHT - (x if anchor == "lm" else 0):
            size -= 1
            font = _font(size)
        self._draw.text((x, y), text, fill=ink, font=font, anchor=anchor)
        return x + font.getlength(text)


def tick(reach: float) -> float:
    """A round number, so that a few of them make up the reach."""
    wanted = max(reach, 1e-9) / _TICKS
    power = 10.0 ** floor(log10(wanted))
    return next(step * power for step in _STEPS if step * power >= wanted)


def _font(size: int) -> "FreeTypeFont":
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise AssertionError("Pillow draws text with FreeType.")
    return font
