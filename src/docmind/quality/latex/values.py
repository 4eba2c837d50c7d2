"""Arithmetic on numbers that are known exactly or to their last digit, with fractions and never a float."""

from dataclasses import dataclass
from fractions import Fraction

from docmind.quality.quantities.derivation import root

MAX_BITS = 1000
"""Longest numerator or denominator; beyond it nobody means the arithmetic, and the time it takes stays bounded."""
MAX_DEGREE = 400
_ROOT_ERROR = Fraction(1, 10**36)
"""Share by which a root that was cut after its digits may be off."""


class NotArithmetic(Exception):
    """What stands there is no plain arithmetic, or more of it than is worth doing."""


@dataclass(frozen=True, slots=True)
class Value:
    """Everything from `low` to `high`, which are the same where the value is exact."""

    low: Fraction
    high: Fraction
    terms: int | None = None
    """How many numbers were added up, where the value is a sum or mean of them and so has their unit."""
    hundredfold: bool = False
    """Whether it was multiplied by 100 last, as a percentage is."""

    def __post_init__(self) -> None:
        for end in (self.low, self.high):
            if max(end.numerator.bit_length(), end.denominator.bit_length()) > MAX_BITS:
                raise NotArithmetic

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def middle(self) -> Fraction:
        return (self.low + self.high) / 2

    def plus(self, other: "Value") -> "Value":
        terms = None if self.terms is None or other.terms is None else self.terms + other.terms
        return Value(self.low + other.low, self.high + other.high, terms)

    def negated(self) -> "Value":
        return Value(-self.high, -self.low, self.terms, self.hundredfold)

    def times(self, other: "Value") -> "Value":
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Value(min(corners), max(corners), hundredfold=self._is(100) or other._is(100))

    def over(self, other: "Value") -> "Value":
        if other.low <= 0 <= other.high:
            raise NotArithmetic
        inverse = Value(1 / other.high, 1 / other.low)
        mean = self.terms is not None and other._is(self.terms)
        result = self.times(inverse)
        return Value(result.low, result.high, self.terms if mean else None)

    def scaled(self, factor: Fraction) -> "Value":
        """The same in another unit."""
        ends = sorted((self.low * factor, self.high * factor))
        return Value(ends[0], ends[1], self.terms, self.hundredfold)

    def power(self, exponent: "Value") -> "Value":
        """To a whole power, or a root, or a root of a power."""
        if not exponent.is_exact:
            raise NotArithmetic
        whole, degree = exponent.low.numerator, exponent.low.denominator
        return Value(*self._raised(whole)).root(degree) if degree > 1 else Value(*self._raised(whole))

    def root(self, degree: int) -> "Value":
        if self.low < 0 or not 1 <= degree <= MAX_DEGREE:
            raise NotArithmetic
        low, low_exact = root(self.low, degree)
        high, high_exact = root(self.high, degree)
        return Value(
            low if low_exact else low * (1 - _ROOT_ERROR),
            high if high_exact else high * (1 + _ROOT_ERROR),
        )

    def overlaps(self, other: "Value") -> bool:
        return self.low <= other.high and other.low <= self.high

    def _is(self, number: int) -> bool:
        return self.low == self.high == number

    def _raised(self, exponent: int) -> tuple[Fraction, Fraction]:
        bits = max(part.bit_length() for end in (self.low, self.high) for part in (end.numerator, end.denominator))
        if bits * abs(exponent) > MAX_BITS or (exponent < 0 and self.low <= 0 <= self.high):
            raise NotArithmetic
        if self.low < 0 and not self.is_exact:
            raise NotArithmetic
        ends = sorted((self.low**exponent, self.high**exponent))
        return ends[0], ends[1]
