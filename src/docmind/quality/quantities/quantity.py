"""What a number in a text means: its value, what it counts, how precisely it was written, and where it stands."""

from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from enum import StrEnum

from docmind.domain.documents import Span

NOWHERE = Span(0, 0)
"""Where something stands that was not read from a text."""

DAY = Decimal(86_400)
"""Seconds: a time in this scale is told in days."""

WORKING_DIGITS = 60
"""Enough that no value read from a text is ever rounded by the arithmetic on it."""


class Bound(StrEnum):
    """Whether a number is the value itself or a limit of it ("at least 5", "up to 5")."""

    EXACT = "exact"
    AT_LEAST = "at least"
    AT_MOST = "at most"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, in base scale: "EUR 1.23 million" has the value 1230000 and the step 10000."""

    value: Decimal
    step: Decimal
    """Worth of the last digit written: the value is known to half of it, up and down."""
    unit: str = ""
    """Base unit: `money`, `percent`, `point` (percentage points), `times`, `ordinal`, a physical one, or none."""
    currency: str | None = None
    counted: str | None = None
    """What is counted, in the singular: `employee`, `share`."""
    per: str | None = None
    """What it is a rate of: `share` in "EUR 0.56 per share"."""
    upper: Decimal | None = None
    """The far end of a range; `value` is the near one."""
    approximate: bool = False
    bound: Bound = Bound.EXACT
    scaled: bool = False
    """Whether a scale word stood with it, so that "in thousands" above a table is not meant for it."""
    span: Span = NOWHERE
    text: str = ""

    @property
    def size(self) -> "Quantity":
        """The same without its sign: costs stand in brackets in a table and plain in a sentence."""
        if self.value >= 0:
            return self
        if self.upper is None:
            return replace(self, value=self.value.copy_abs())
        low, high = sorted((self.value.copy_abs(), self.upper.copy_abs()))
        return replace(self, value=low, upper=high)

    @property
    def bare(self) -> bool:
        """Whether nothing beside it says what the number is a number of."""
        return not (self.unit or self.counted or self.scaled)

    def times(self, factor: Decimal) -> "Quantity":
        """The same in a scale that is stated elsewhere."""
        with localcontext(prec=WORKING_DIGITS):
            upper = None if self.upper is None else self.upper * factor
            return replace(self, value=self.value * factor, step=self.step * factor, upper=upper, scaled=True)
