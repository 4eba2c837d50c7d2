"""How likely what was found is what was asked for, as measured.

On single pages it is told by the operation, in whole reports by how sure each step was; of a quotation by what the
reader says of it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Self

from docmind.quality.excerpts import heading_of
from docmind.quality.quantities import Computed, Figure, Operand
from docmind.skills.answer import choose
from docmind.skills.extract.statement_scorer import Reading, StatementScorer, logistic
from docmind.skills.extract.statements import Statement
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.companies import without_names
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import sought, terms
from docmind.skills.finance.question import read_question

FIGURE_SIGNALS = ("doubts", "by_name", "computed", "unsaid", "answers")
LOGITS = 4.0
"""By which what the reader says is divided, so that all signals are of one size."""


def signals_of(analysis: Analysis, evidence: Evidence) -> dict[str, float]:
    """All of `FIGURE_SIGNALS`; none without figures, or without a reader to ask."""
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
    return {name: round(float(value), 4) for name, value in zip(FIGURE_SIGNALS, values, strict=True)}


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


@dataclass(frozen=True, slots=True)
class AnalysisModel:
    """Shares of right answers, fitted by `scripts/fit_finance.py`; `confidence.json` holds them."""

    certain: Mapping[str, float]
    """By operation, of answers told without a doubt."""
    doubted: float
    """Of answers told with one, and of operations too rare to be measured."""
    reports: Mapping[str, float]
    """Weights of what `signals_of` tells of an analysis of whole reports, by name; fitted by `fit_filings.py`."""
    quoted: Mapping[str, float]
    """The same of what `ReportReader` tells of a quotation from them."""
    refuse_below: float
    """How likely right an answer from whole reports has to be to be given."""

    @classmethod
    @cache
    def shipped(cls) -> Self:
        fitted = json.loads(files(__package__).joinpath("confidence.json").read_text(encoding="utf-8"))
        return cls(*(fitted[name] for name in ("certain", "doubted", "reports", "quoted", "refuse_below")))

    def is_right(self, operation: str, *, certain: bool) -> float:
        return self.certain.get(operation, self.doubted) if certain else self.doubted


def analysis_confidence(analysis: Analysis) -> float:
    """That the figures found are those asked for, whatever is then said of them."""
    if analysis.signals:
        return logistic(AnalysisModel.shipped().reports, analysis.signals)
    return AnalysisModel.shipped().is_right(analysis.question.operation, certain=not analysis.doubts)


QUOTATION_SIGNALS = (
    "score", "next", "mark", "answer", "relevance", "alone", "length", "table",
    "calculates", "unsaid", "part", "agrees", "differs",
)  # fmt: skip
"""Those of the reader that are weighed, and what is known besides."""
_QUOTABLE = (Operation.LOOKUP, Operation.EXPLAIN, Operation.PARTS)
"""What is asked for without a calculation."""
_NUMBER = re.compile(r"\d++(?:,\d{3})*+(?:\.\d++)?+")
MOST_HELD = 3
"""Figures that a quotation is held against."""


@dataclass(frozen=True, slots=True)
class ReportReader:
    """The reader of every workflow, as sure of what it finds in reports as it has been right there."""

    scorer: StatementScorer
    whole: str
    """All that is asked; what is read beside it is a part."""
    companies: Sequence[str]
    found: Sequence[Operand] = ()
    """Figures that were found for the same question: a quotation may have them or others."""
    model: AnalysisModel = field(default_factory=AnalysisModel.shipped)

    def of_parts(self) -> Self:
        """The same where every company or report is asked by itself."""
        return replace(self, whole="")

    @property
    def refuse_below(self) -> float:
        return self.model.refuse_below

    def read(self, question: str, statements: Sequence[Statement]) -> Reading:
        reading = self.scorer.read(question, statements)
        if not reading.signals:
            return reading
        signals = self._signals(question, statements, reading)
        return replace(reading, confidence=logistic(self.model.quoted, signals), signals=signals)

    def answers(self, question: str, texts: Sequence[str]) -> list[float]:
        return self.scorer.answers(question, texts)

    def _signals(self, question: str, statements: Sequence[Statement], reading: Reading) -> Mapping[str, float]:
        chosen = choose(statements, reading)
        said = " ".join(one.text for one in chosen)
        headings = " ".join(dict.fromkeys(heading_of(one.hit.passage) for one in chosen[:1]))
        asked = frozenset(sought(without_names(question, self.companies), frozenset()))
        unsaid = asked - frozenset(terms(f"{said} {headings}"))
        found = [_numbers(one.quantity.text) for one in self.found[:MOST_HELD]]
        agrees = bool(found) and frozenset().union(*found) <= _numbers(said)
        own = {
            "calculates": read_question(question).operation not in _QUOTABLE,
            "unsaid": len(unsaid) / max(len(asked), 1),
            "part": question != self.whole,
            "agrees": agrees,
            "differs": bool(found) and not agrees,
        }
        return {**reading.signals, **{name: round(float(value), 4) for name, value in own.items()}}


def _numbers(text: str) -> frozenset[str]:
    return frozenset(number.replace(",", "") for number in _NUMBER.findall(text))
