"""The cells that an answer rests on: document, page, row and column, and the exact characters."""

from typing import Any

from docmind.quality.quantities import Figure
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.sources import Sources, figures_of

_NAMED = ": "


def citations_of(analysis: Analysis, sources: Sources) -> list[dict[str, Any]]:
    """Each figure that a result rests on, once, under the number of its passage."""
    figures = dict.fromkeys(figure for result in analysis.results for figure in figures_of(result))
    return [cited for figure in figures if (cited := _cited(figure, sources)) is not None]


def _cited(figure: Figure, sources: Sources) -> dict[str, Any] | None:
    passage, number = sources.passage(figure), sources.number(figure.source)
    if passage is None or number is None:
        return None
    start, end = figure.span.start, figure.span.start + len(figure.quantity.text)
    # A cell is written with the name of its column, which tells a reader which one it is.
    named = f"{figure.column}{_NAMED}"
    before = passage.text[: start - passage.span.start]
    start -= len(named) if figure.column and before.endswith(named) else 0
    return {
        "marker": f"[{number}]",
        "document": passage.document_id,
        "title": sources.titles.get(passage.document_id, ""),
        "page": passage.page,
        "start": start,
        "end": end,
        "quote": passage.text[start - passage.span.start : end - passage.span.start],
        "cell": _NAMED.join(filter(None, (sources.label(figure), figure.column))),
    }
