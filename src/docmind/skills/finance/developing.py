"""How something moved: all its figures over the periods there are, and its change as an amount and in per cent."""

from collections import Counter
from collections.abc import Sequence

from docmind.quality.quantities import Computed, Figure, Operand, difference, growth
from docmind.skills.finance.analysis import NOT_FOUND, Analysis
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.over_time import PLACES, newest_first, sizes
from docmind.skills.finance.question import FinanceQuestion


def developed(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The change from the first period to the last as an amount and in per cent, then every figure, oldest first."""
    # One period alone is what others are held against: the latest quarter beside those before it.
    asked = question.periods if len(question.periods) > 1 else ()
    series = evidence.best(question.text, at=asked, ignored=question.unsought)
    if series is None:
        return Analysis(question, refusal=NOT_FOUND)
    figures = comparable(series.figures)
    if asked:
        wanted = [series.at(period) for period in question.stretch]
        figures = [figure for figure in wanted if figure is not None]
    if len(figures) < 2:
        return Analysis(question, refusal=f"The figures of {series.label} are of one period only.")
    return Analysis(question, movement(figures))


def movement(figures: Sequence[Operand]) -> tuple[Operand, ...]:
    """The change of two figures or more as an amount and in per cent, then all of them, oldest first."""
    old, *_, new = sizes(list(reversed(newest_first(figures))))
    moved = (difference(new, old, label=f"change in {new.label}"), growth(new, old, places=PLACES))
    told = tuple(one for one in moved if isinstance(one, Computed))
    return (*told, *reversed(newest_first(figures)))


def comparable(figures: Sequence[Figure]) -> list[Figure]:
    """One figure a period, of periods of one length: that of most of them, of several the shortest."""
    dated = {figure.period.key: figure for figure in figures if figure.period is not None and figure.period.year}
    lengths = Counter(period.length for period in dated)
    usual = max(lengths, key=lambda length: (lengths[length], -(length or 12)), default=None)
    return [figure for period, figure in dated.items() if period.length == usual]
