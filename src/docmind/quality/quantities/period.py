"""A stretch or point of time as a text names it, with as much of it as the text gives."""

from dataclasses import dataclass, replace

from docmind.domain.documents import Span
from docmind.quality.quantities.quantity import NOWHERE

HALF_A_YEAR = 6
CLOSING_DAYS = 7
"""Periods of whole weeks end up to this many days into the next month: "three months ended July 1" is April to June."""


@dataclass(frozen=True, slots=True)
class Period:
    """What is known of a time: "June 2022" has year and month, "third quarter of fiscal 2022" year and quarter."""

    year: int | None = None
    quarter: int | None = None
    half: int | None = None
    month: int | None = None
    day: int | None = None
    months: int | None = None
    """How long it lasts where that is said: 3 in "three months ended June 25, 2022", whose end the date is."""
    fiscal: bool = False
    """Counted in a company's own years, which need not be those of the calendar."""
    span: Span = NOWHERE
    text: str = ""

    @property
    def key(self) -> "Period":
        """The time itself, wherever it stands."""
        return replace(self, span=NOWHERE, text="")

    @property
    def closing(self) -> tuple[int | None, int | None]:
        """Year and month it lies in, or for a stretch of time ends in."""
        if self.month is None or self.months is None or self.day is None or self.day > CLOSING_DAYS:
            return self.year, self.month
        if self.month > 1:
            return self.year, self.month - 1
        return (self.year - 1 if self.year else None), 12

    @property
    def calendar_quarter(self) -> int | None:
        """The quarter it is or lies in; longer stretches lie in none."""
        if self.quarter is not None:
            return self.quarter
        month = self.closing[1]
        return None if month is None or self.fiscal or (self.months or 0) > 3 else (month + 2) // 3

    @property
    def calendar_half(self) -> int | None:
        """The half it is or lies in."""
        quarter, month = self.calendar_quarter, self.closing[1]
        if self.half is not None:
            return self.half
        if self.months == HALF_A_YEAR and month is not None and not self.fiscal:
            return month // HALF_A_YEAR if month % HALF_A_YEAR == 0 else None
        return (quarter + 1) // 2 if quarter is not None else None

    @property
    def length(self) -> int | None:
        """Months it lasts, as far as its name tells."""
        if self.months is not None:
            return self.months
        return 3 if self.quarter is not None else 6 if self.half is not None else None
