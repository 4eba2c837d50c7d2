"""What tells how likely an analysis of whole reports is right: how sure each step of it was, by name."""

from collections.abc import Sequence

from docmind.quality.quantities import Computed, Figure
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.company_names import without_names
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.terms import terms

SIGNALS = ("doubts", "by_name", "computed", "unsaid", "answers")
LOGITS = 4.0
"""By which what the reader says is divided, so that all signals are of one size."""


def signals_of(analysis: Analysis, evidence: Evidence) -> dict[str, float]:
    """All of `SIGNALS`; none without figures, or without a reader to ask."""
    figures = _figures(analysis)
    if not figures or evidence.answers is None:
        return {}
    asked = without_names(analysis.question.text, evidence.companies)
    [answers] = evidence.answers(analysis.question.text, [_told(analysis)])
    said = _said(figures, evidence)
    values = (
        min(len(analysis.doubts) + len(analysis.missing), 2),
        analysis.by_name,
        any(isinstance(result, Computed) for result in analysis.results),
        _share(frozenset(sought(asked, frozenset())), said),
        answers / LOGITS,
    )
    return {name: round(float(value), 4) for name, value in zip(SIGNALS, values, strict=True)}


def _figures(analysis: Analysis) -> list[Figure]:
    found = [result.sources if isinstance(result, Computed) else (result,) for result in analysis.results]
    return [figure for some in found for figure in some]


def _told(analysis: Analysis) -> str:
    """What was found in short sentences, as the reader judges it."""
    columns = [one.column if isinstance(one, Figure) else "" for one in analysis.results]
    found = zip(analysis.results, columns, strict=True)
    results = [f"{one.label}, {column}: {one.quantity.text}" for one, column in found]
    return ". ".join((*(quote.text for quote in analysis.quotes), *results[:3]))


def _said(figures: Sequence[Figure], evidence: Evidence) -> frozenset[str]:
    """What the rows of the figures say, with their columns, headings and captions."""
    spans = {(figure.span, figure.source) for figure in figures}
    used = [one for one in evidence.series if any((figure.span, figure.source) in spans for figure in one.figures)]
    labels = [frozenset(terms(f"{figure.label} {figure.column}")) for figure in figures]
    return frozenset().union(*labels, *(one.name | one.aside | one.column | one.context for one in used))


def _share(words: frozenset[str], said: frozenset[str]) -> float:
    """The share of what the question names that is not said."""
    return len(words - said) / len(words) if words else 0.0
