"""How likely a quotation from whole reports answers: what the reader says of it, weighed as reports have shown it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from docmind.quality.excerpts import heading_of
from docmind.quality.quantities import Operand
from docmind.skills.answer import choose
from docmind.skills.extract.answer_model import logistic
from docmind.skills.extract.statement_scorer import Reading, StatementScorer
from docmind.skills.extract.statements import Statement
from docmind.skills.finance.company_names import without_names
from docmind.skills.finance.confidence import AnalysisModel
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import read_question
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.terms import terms

SIGNALS = (
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
