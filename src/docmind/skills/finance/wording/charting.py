"""Writes a plot as Chart.js reads it, with the unit on its axis and its sources below the title."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from typing import Any

from docmind.quality.quantities import Operand, Quantity
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.quality.quantities.writing import scale_name
from docmind.skills.finance.wording.plots import Plot, Points
from docmind.skills.finance.wording.sources import Sources

COLOURS = ("#2563eb", "#f59e0b", "#10b981", "#ef4444", "#8b5cf6", "#64748b", "#0ea5e9", "#84cc16")
LONGEST_SUBTITLE = 300
_UNITS = {"percent": "%", "point": "percentage points", "times": "times"}


def write_chart(plot: Plot, sources: Sources) -> dict[str, Any]:
    labels = _labels(plot)
    scale = max(operand.scale for operand in plot.operands)
    unit = _unit(plot.operands[0].quantity, scale)
    is_round = plot.kind == "doughnut"
    datasets = [
        {"label": _name(row, unit) or plot.title, "data": _numbers(points, labels, scale)}
        | _colours(plot.kind, number, len(labels))
        for number, (row, points) in enumerate(plot.rows.items())
    ]
    plugins = {
        "title": {"display": True, "text": _name(plot.title, unit)},
        "subtitle": {"display": True, "text": _told(sources.titles_of(plot.operands))},
        "legend": {"display": is_round or len(datasets) > 1},
    }
    axes = {} if is_round else {"scales": {"y": {"title": {"display": bool(unit), "text": unit}}}}
    return {
        "type": plot.kind,
        "data": {"labels": labels, "datasets": datasets},
        "options": {"plugins": plugins, **axes},
    }


def _labels(plot: Plot) -> list[str]:
    found = list(dict.fromkeys(label for points in plot.rows.values() for label in points))
    # Companies tell of different years, and each was put in its own order.
    return sorted(found) if len(plot.rows) > 1 else found


def _name(row: str, unit: str) -> str:
    return f"{row} ({unit})" if row and unit else row


def _numbers(points: Points, labels: Sequence[str], scale: Decimal) -> list[float | None]:
    return [_number(points[label], scale) if label in points else None for label in labels]


def _colours(kind: str, number: int, slices: int) -> dict[str, Any]:
    if kind == "doughnut":
        return {"backgroundColor": [COLOURS[place % len(COLOURS)] for place in range(slices)]}
    colour = COLOURS[number % len(COLOURS)]
    return {"backgroundColor": colour, "borderColor": colour}


def _number(operand: Operand, scale: Decimal) -> float:
    with localcontext(prec=WORKING_DIGITS):
        plotted = operand.quantity.value / scale
    return int(plotted) if plotted == plotted.to_integral_value() else float(plotted)


def _unit(quantity: Quantity, scale: Decimal) -> str:
    if quantity.unit in _UNITS:
        return _UNITS[quantity.unit]
    per = f"per {quantity.per}" if quantity.per else ""
    return " ".join(filter(None, (quantity.currency, scale_name(scale), per)))


def _told(titles: Sequence[str]) -> str:
    told = f"Source: {'; '.join(titles)}"
    return told if len(told) <= LONGEST_SUBTITLE else f"{told[: LONGEST_SUBTITLE - 1]}…"
