"""Draws what a store costs as it grows, from the rows of the benchmark `scale`: an image that no number is typed into.

Colours are between light and dark, and the page behind shows through: it reads on a white page and on a black one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, floor, log10

from docmind.bench.report import Row, shown

PLACES = {"docmind": ("embedded", "#2f81f7"), "docmind+server": ("through a Qdrant server", "#e5771e")}
INK, PALE = "#768390", "#8b949e"
WIDTH, HEIGHT = 900, 640
PANEL_WIDTH, PANEL_HEIGHT = 330, 190
LEFT, TOP, ACROSS, DOWN = 70, 100, 430, 280
DASH = "5 4"
LINE_HEIGHT = 13


@dataclass(frozen=True, slots=True)
class Panel:
    """Two metrics on one pair of logarithmic axes: the first drawn through, the second dashed."""

    title: str
    metrics: tuple[tuple[str, str], tuple[str, str]]


PANELS = (
    Panel("Seconds", (("ingest_s", "to ingest"), ("optimize_s", "to optimise"))),
    Panel("A search, ms", (("p50_ms", "median"), ("p95_ms", "95th percentile"))),
    Panel("Memory, MB", (("ingest_mb", "ingesting"), ("search_mb", "searching"))),
    Panel("Disk, MB", (("index_mb", "index"), ("catalogue_mb", "catalogue"))),
)
Points = list[tuple[int, float]]
"""Passages and what they cost."""


def svg(rows: Sequence[Row]) -> str:
    places = [place for place in PLACES if any(row.system.startswith(f"{place}@") for row in rows)]
    parts = [*_legend(places)]
    for panel, (down, across) in zip(PANELS, product(range(2), range(2)), strict=True):
        parts += _panel(panel, rows, LEFT + across * ACROSS, TOP + down * DOWN)
    label = "What a store costs from a thousand passages to a million: seconds, milliseconds, memory and disk"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}"'
    return "\n".join([f'{opening} font-family="system-ui, sans-serif" font-size="13">', *parts, "</svg>", ""])


def _legend(places: Sequence[str]) -> Iterator[str]:
    yield _text(LEFT, 30, "What a store costs as it grows", size=18, weight=600)
    at = LEFT
    for place in places:
        name, colour = PLACES[place]
        yield f'<circle cx="{at + 5}" cy="51" r="5" fill="{colour}"/>'
        yield _text(at + 17, 55, name)
        at += 17 + 7 * len(name) + 24


def _panel(panel: Panel, rows: Sequence[Row], left: float, top: float) -> Iterator[str]:
    lines = [
        (PLACES[place][1], DASH if number else "", points)
        for place, (number, (metric, _)) in product(PLACES, enumerate(panel.metrics))
        if (points := _points(rows, place, metric))
    ]
    axes = _Axes.around([point for _, _, points in lines for point in points], left, top)
    through, dashed = (name for _, name in panel.metrics)
    yield _text(left, top - 12, panel.title, weight=600)
    yield _text(left + PANEL_WIDTH, top - 12, f"— {through}   - - {dashed}", anchor="end", ink=PALE)
    yield from axes.drawn()
    for colour, dash, points in lines:
        places = [axes.place(*point) for point in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
    yield from _ends(axes, lines)


def _ends(axes: "_Axes", lines: Sequence[tuple[str, str, Points]]) -> Iterator[str]:
    """What the largest store costs, in numbers, moved apart where they would lie on each other."""
    ends = sorted((axes.place(*points[-1])[1], points[-1][1], colour) for colour, _, points in lines)
    free = 0.0
    for y, cost, colour in ends:
        free = max(y, free) + LINE_HEIGHT
        yield _text(axes.left + PANEL_WIDTH + 8, free - LINE_HEIGHT + 4, shown(cost), ink=colour)


def _points(rows: Sequence[Row], place: str, metric: str) -> Points:
    """Sizes are those of the ingest: of searches, a row tells how many there were."""
    sizes = {row.system: row.n for row in rows if row.metric == "ingest_s"}
    found = (row for row in rows if row.metric == metric and row.system.partition("@")[0] == place)
    # What took no time has no place on a logarithmic axis.
    return sorted((sizes[row.system], row.value) for row in found if row.value >= 0.1)


@dataclass(frozen=True, slots=True)
class _Axes:
    """Whole powers of ten around what is drawn."""

    left: float
    top: float
    sizes: range
    costs: range

    @classmethod
    def around(cls, points: Points, left: float, top: float) -> "_Axes":
        sizes, costs = (_powers([point[axis] for point in points]) for axis in range(2))
        return cls(left, top, sizes, costs)

    def place(self, size: float, cost: float) -> tuple[float, float]:
        across = (log10(size) - self.sizes[0]) / (len(self.sizes) - 1)
        up = (log10(cost) - self.costs[0]) / (len(self.costs) - 1)
        return self.left + across * PANEL_WIDTH, self.top + (1 - up) * PANEL_HEIGHT

    def drawn(self) -> Iterator[str]:
        right, bottom = self.left + PANEL_WIDTH, self.top + PANEL_HEIGHT
        for power in self.costs:
            _, y = self.place(10 ** self.sizes[0], 10.0**power)
            yield _line(self.left, y, right, y)
            yield _text(self.left - 8, y + 4, f"{10.0**power:,g}", anchor="end", ink=PALE)
        for power in self.sizes:
            x, _ = self.place(10**power, 10.0 ** self.costs[0])
            yield _line(x, self.top, x, bottom)
            yield _text(x, bottom + 18, f"{10**power:,}", anchor="middle", ink=PALE)
        yield _text((self.left + right) / 2, bottom + 36, "passages", anchor="middle", ink=PALE)


def _powers(values: Sequence[float]) -> range:
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return range(low, max(high, low + 1) + 1)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{PALE}" stroke-opacity="0.3"/>'


def _text(
    x: float, y: float, text: str, *, size: int = 13, weight: int = 400, anchor: str = "start", ink: str = INK
) -> str:
    look = f'font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{ink}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look} xml:space="preserve">{text}</text>'
