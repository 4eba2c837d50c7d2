"""Charts: a line for what goes over time, bars for what is compared, a doughnut for shares of a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

from docmind.quality.quantities import Computed, Figure, Operand, Quantity, difference
from docmind.quality.quantities.quantity import WORKING_DIGITS, scale_name
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.evidence.cells import NAMED
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.series import Series
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion, Show
from docmind.skills.finance.wording.sentences import Sources, when

A_LINE = 3
"""Points that make a line; fewer are bars."""
MOST_BARS = 12
_OVER_TIME = (
    Operation.DEVELOPMENT,
    Operation.GROWTH,
    Operation.CAGR,
    Operation.DIFFERENCE,
    Operation.SUM,
    Operation.AVERAGE,
)
_SIDE_BY_SIDE = (Operation.RANK, Operation.PARTS, Operation.SELECT, Operation.COUNT)
Points = Mapping[str, Operand]
"""Figures by the label they stand at."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What is to be drawn: datasets by name, each with its points."""

    kind: str
    title: str
    rows: Mapping[str, Points]
    over_time: bool = False
    """Whether its points are of one thing at several times."""

    @property
    def operands(self) -> list[Operand]:
        return [operand for points in self.rows.values() for operand in points.values()]


def plot_of(analysis: Analysis, sources: Sources, *, wanted: bool) -> Plot | None:
    """The one plot that shows what was found, if it shows it better than the sentence does, or was asked for."""
    question, results = analysis.question, analysis.results
    if analysis.refusal or not results:
        return None
    if question.operation is Operation.SHARE and len(results) == 1 and isinstance(results[0], Computed):
        return _share(results[0], sources)
    if question.operation in _SIDE_BY_SIDE:
        return _compared(results, sources, whole=question.operation is Operation.PARTS)
    if len({sources.whose(result) for result in _taken(results)}) > 1 and len(question.periods) < 2:
        return _compared(_taken(results), sources)
    moved = question.operation in _OVER_TIME and isinstance(results[0], Computed)
    if wanted or len(question.periods) > 1 or moved:
        return _over_time(question, results, sources)
    return None


def drawn_as(plot: Plot, kind: Show) -> Plot:
    """The plot in the form that was asked for, where its points can be shown so: times make no whole."""
    if kind == "bar" or (kind == "line" and plot.kind != "doughnut"):
        return replace(plot, kind=kind)
    parts = len(plot.rows) == 1 and all(operand.quantity.value > 0 for operand in plot.operands)
    return replace(plot, kind="doughnut") if kind == "pie" and parts and not plot.over_time else plot


def rest_of(result: Operand, sources: Sources) -> Computed | None:
    """What is left of the whole beside the part, where a result is a share of something."""
    if not isinstance(result, Computed) or len(result.operands) != 2 or result.quantity.unit != "percent":
        return None
    part, whole = result.operands
    rest = difference(whole, part, label=f"Rest of {sources.label(whole)}")
    return rest if isinstance(rest, Computed) and rest.exact >= 0 and part.quantity.value >= 0 else None


def _share(result: Computed, sources: Sources) -> Plot | None:
    part, whole = result.operands
    rest = rest_of(result, sources)
    if rest is None:
        return None
    title = " ".join(filter(None, (sources.whose(result), sources.label(whole), when(part.period))))
    return Plot("doughnut", title, {"": {sources.label(part): part, rest.label: rest}})


def _taken(results: Sequence[Operand]) -> list[Operand]:
    """What results of two companies were computed from, which can be shown side by side; else the results."""
    if len(results) == 1 and isinstance(results[0], Computed):
        return list(results[0].operands)
    return list(results)


def _compared(results: Sequence[Operand], sources: Sources, *, whole: bool = False) -> Plot | None:
    """One bar for each thing; where they are of several companies, for each company."""
    alike = {(result.quantity.unit, result.quantity.currency) for result in results}
    if not 1 < len(results) <= MOST_BARS or len(alike) > 1:
        return None
    owned = len({sources.whose(result) for result in results}) > 1
    points = {sources.whose(result) if owned else _label(result, results, sources): result for result in results}
    shared = _shared_start([*points])
    points = {label.removeprefix(shared): result for label, result in points.items()}
    measured = sources.label(results[0]) if owned else sources.whose(results[0])
    measured = " ".join(filter(None, (measured, shared.removesuffix(NAMED))))
    slices = whole and all(result.quantity.value > 0 for result in results)
    title = " ".join(filter(None, (measured, when(results[0].period))))
    return Plot("doughnut" if slices else "bar", title, {measured: points}) if len(points) > 1 else None


def _shared_start(labels: Sequence[str]) -> str:
    """What all labels begin with up to a colon: the total that they are parts of."""
    starts = {label.rpartition(NAMED)[0] for label in labels}
    start = starts.pop()
    return f"{start}{NAMED}" if start and not starts else ""


def _label(result: Operand, results: Sequence[Operand], sources: Sources) -> str:
    names = [sources.label(one) for one in results]
    return sources.label(result) if len(set(names)) == len(names) else when(result.period) or sources.label(result)


def _over_time(question: FinanceQuestion, results: Sequence[Operand], sources: Sources) -> Plot | None:
    """Each company's figures of what was asked for: those that were found; of a single one, all that its row tells."""
    evidence = sources.evidence
    owners = list(dict.fromkeys(owner for owner in map(sources.whose, results) if owner))
    rows: dict[str, Points] = {}
    for owner in owners or [""]:
        found = [one for one in results if isinstance(one, Figure) and sources.whose(one) == owner]
        points, label = _dated(found), sources.label(found[0]) if found else ""
        if len(points) < 2:
            own = next((evidence.of(full) for full in evidence.companies if sources.short(full) == owner), evidence)
            series = _series(question, results, own, sources)
            points, label = (_dated(series.figures), series.label) if series is not None else ({}, "")
        if len(points) > 1:
            rows[f"{owner} {label}".strip()] = points
    if not rows:
        return None
    most = max(map(len, rows.values()))
    return Plot("line" if most >= A_LINE else "bar", " and ".join(rows), rows, over_time=True)


def _series(
    question: FinanceQuestion, results: Sequence[Operand], evidence: Evidence, sources: Sources
) -> Series | None:
    """The series that the results were taken from."""
    first = results[0].operands[0] if isinstance(results[0], Computed) else results[0]
    return evidence.best(sources.label(first), at=question.periods)


def _dated(figures: Sequence[Figure]) -> Points:
    """Oldest first."""
    dated = [figure for figure in figures if figure.period is not None and figure.period.year]
    return {when(figure.period): figure for figure in sorted(dated, key=_time)}


def _time(figure: Figure) -> tuple[int, str]:
    return (figure.period.year or 0 if figure.period else 0), when(figure.period)


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
