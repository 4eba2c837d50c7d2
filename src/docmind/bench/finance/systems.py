"""What answers questions on tables in a benchmark: the product's analysis, and a lookup to be better than."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext

from docmind.bench.finance.scoring import GivenAnswer
from docmind.quality.quantities import Computed, Operand
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.skills.finance import Analysis, Evidence, FinanceQuestion, analyse_with

System = Callable[[FinanceQuestion, Evidence], "SystemAnswer"]
_SCALES = {Decimal(10) ** 3: "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
_HOW_MANY = "how many"


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """An answer, none where it was refused, and whether it was told without a doubt."""

    given: GivenAnswer | None
    certain: bool = True
    refusal: str = ""
    """Why there is none."""


def docmind(question: FinanceQuestion, evidence: Evidence) -> SystemAnswer:
    """The product with no chat model."""
    analysis = analyse_with(question, evidence)
    return SystemAnswer(given(analysis), not analysis.doubts, analysis.refusal)


def row_lookup(question: FinanceQuestion, evidence: Evidence) -> SystemAnswer:
    """The figure in the row with most words of the question, at the first year it names; nothing is calculated."""
    matches = sorted(evidence.find(question.text), key=lambda match: -match.coverage)
    if not matches:
        said = evidence.prose.best(question)
        return SystemAnswer(GivenAnswer((said.text,)) if said is not None else None)
    series = matches[0].series
    figure = series.at(question.periods[0]) if question.periods else None
    return SystemAnswer(_written(figure or series.figures[0]))


def given(analysis: Analysis) -> GivenAnswer | None:
    """An analysis as the set wants answers: texts, and the scale that their numbers are in."""
    if analysis.refusal:
        return None
    if analysis.count is not None and _HOW_MANY in analysis.question.text.lower():
        return GivenAnswer((str(analysis.count),))
    if analysis.quotes or not analysis.results:
        return GivenAnswer(tuple(quote.text for quote in analysis.quotes))
    told = [_written(result) for result in analysis.results]
    return GivenAnswer(tuple(one.texts[0] for one in told), told[-1].scale)


def _written(result: Operand) -> GivenAnswer:
    percent = result.quantity.unit in ("percent", "point")
    scale = "percent" if percent else _SCALES.get(result.scale, "")
    if isinstance(result, Computed):
        with localcontext(prec=WORKING_DIGITS):
            exact = Decimal(result.exact.numerator) / result.exact.denominator / result.scale
        return GivenAnswer((f"{exact:.2f}",), scale)
    text = result.quantity.text
    return GivenAnswer((text,), "" if "%" in text else scale)
