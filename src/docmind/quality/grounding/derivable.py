"""Whether a figure follows from those that are stated by one simple step: then no code can call it invented."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import permutations

_COUNTABLE = 24
"""A smaller whole number may count rows, items or days."""
_MOST_STATED = 48
"""Figures looked at: of more, nearly every number follows."""
_EXACT = Decimal("0.006")
"""How far a result may be off, as a share, where it was rounded."""


def follows(claimed: Decimal, stated: Iterable[Decimal]) -> bool:
    """Whether it is small enough to be a count, or a sum, difference, product, ratio, share or change of two."""
    if claimed == claimed.to_integral_value() and abs(claimed) <= _COUNTABLE:
        return True
    values = list(dict.fromkeys(abs(value) for value in stated if value))
    return len(values) > _MOST_STATED or one_step(claimed, values)


def one_step(claimed: Decimal, stated: Iterable[Decimal]) -> bool:
    """Whether it is one of them but for rounding, or a sum, difference, product, ratio, share or change of two."""
    values = list(dict.fromkeys(abs(value) for value in stated if value))[:_MOST_STATED]
    results = (result for one, other in permutations(values, 2) for result in _steps(one, other))
    return any(_near(abs(claimed), value) for value in (*values, *results))


def _steps(one: Decimal, other: Decimal) -> Iterator[Decimal]:
    yield one + other
    yield abs(one - other)
    yield one * other
    yield one / other
    yield 100 * one / other
    yield 100 * abs(one - other) / other
    yield one * other / 100


def _near(claimed: Decimal, result: Decimal) -> bool:
    return abs(claimed - result) <= _EXACT * max(claimed, result)
