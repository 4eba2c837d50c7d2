"""A calculation with two operands at one time: the share of one in the other, their ratio, difference or sum."""

from dataclasses import replace

from docmind.quality.quantities import Computed, Figure, Refusal, difference, ratio, share, total
from docmind.skills.finance.choosing import WantedFigure, best_row
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.over_time import PLACES, apart, sizes
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.terms import terms


def compute(question: FinanceQuestion, evidence: Evidence, phrases: tuple[str, str]) -> Computed | Refusal:
    """The calculation between the figures that two phrases name."""
    found = [_figure(phrase, question, evidence) for phrase in phrases]
    left, right = found
    if left is None or right is None:
        missing = phrases[found.index(None)].strip()
        return Refusal(f"No table of the passages has a figure for “{missing}” at that time.")
    if (left.span, left.source) == (right.span, right.source):
        return Refusal(f"Both sides of the calculation are {left.label}.")
    match question.operation:
        case Operation.SHARE:
            return share(sizes([left])[0], right, places=PLACES)
        case Operation.RATIO | Operation.AVERAGE:
            return ratio(left, right, places=PLACES)
        case Operation.SUM:
            # What a measure adds back stands in brackets where it was taken off.
            return total([left, right] if question.sides else [left, *sizes([right])])
    return apart(left, right) if question.unsigned else difference(left, right)


def name_one_thing(phrases: tuple[str, str], question: FinanceQuestion, evidence: Evidence) -> bool:
    """Whether what looks like two things is the label of one: computer equipment and software."""
    series = evidence.best(question.text)
    return series is not None and all(series.name.intersection(terms(phrase)) for phrase in phrases)


def _figure(phrase: str, question: FinanceQuestion, evidence: Evidence) -> Figure | None:
    series = best_row(WantedFigure(phrase, "", question.periods, phrase), evidence)
    if series is None:
        return evidence.prose.figure(replace(read_question(phrase), periods=question.periods))
    return series.told_at(question.periods[0]) if question.periods else series.figures[0]
