"""What a number in a text means: its value and precision, what it counts, when, and whether another says the same."""

from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
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


class Aspect(StrEnum):
    """What a figure says of the thing it is about."""

    LEVEL = "level"
    CHANGE = "change"
    """By how much it rose or fell."""
    EARLIER = "earlier"
    """What it was before, told beside what it is: "after 43.6 percent in 2023"."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a table cell or a sentence; `quantity.span` are its exact characters."""

    label: str
    """Row label with the heading it stands under, or the noun phrase of a sentence."""
    quantity: Quantity
    column: str = ""
    period: Period | None = None
    scale: Decimal = Decimal(1)
    """Scale it was written in: 1000 where the table is in thousands. `quantity.value` has it already."""
    source: str = ""
    """Whatever the caller names the text by, such as a passage's id."""
    aspect: Aspect = Aspect.LEVEL
    concept: str = ""
    """What the document itself says that it is, where it tags its figures: `us-gaap:NetIncomeLoss`."""
    members: tuple[str, ...] = ()
    """The parts of the company it is of, where the document tags it so; none for the whole company."""

    @property
    def span(self) -> Span:
        return self.quantity.span


APPROXIMATE_SHARE = Decimal("0.05")
"""How far off, as a share of the larger value, "about" may be."""


class Agreement(StrEnum):
    """Agree and disagree speak of one thing; what cannot be set side by side is incomparable."""

    AGREE = "agree"
    DISAGREE = "disagree"
    INCOMPARABLE = "incomparable"


def agrees(a: Quantity, b: Quantity) -> Agreement:
    """Compare two quantities. Symmetric, and a quantity agrees with itself.

    Percent, percentage points and plain numbers are different things and incomparable, as are two currencies: amounts
    in them may both be right. A number without unit is compared with money and with counts, since tables and second
    mentions leave those out. A value agrees with a limit or a range that holds it; two limits of one kind, or two
    ranges, agree where their ends do.
    """
    if not _comparable(a, b):
        return Agreement.INCOMPARABLE
    with localcontext(prec=WORKING_DIGITS):
        slack = _slack(a, b)
        if a.upper is not None and b.upper is not None:
            return _said(abs(a.value - b.value) <= slack and abs(a.upper - b.upper) <= slack)
        if a.bound is b.bound and a.upper is None and b.upper is None:
            return _said(abs(a.value - b.value) <= slack)
        (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
        apart = _above(a_low, b_high, slack) or _above(b_low, a_high, slack)
        if not apart and {a.bound, b.bound} == {Bound.AT_LEAST, Bound.AT_MOST}:
            return Agreement.INCOMPARABLE  # "at least 5" and "at most 7" can both be so, and neither tells the other
        return _said(not apart)


def same_period(a: Period, b: Period) -> Agreement:
    """Compare two periods at the coarser of them: June 2022 agrees with June 25, 2022.

    A fiscal and a calendar period are incomparable, since only the company knows where its years begin.
    """
    if a.fiscal != b.fiscal:
        return Agreement.INCOMPARABLE
    if a.length is not None and b.length is not None and a.length != b.length:
        return Agreement.DISAGREE
    if (_is_one_month(a) and (b.months or 1) > 1) or (_is_one_month(b) and (a.months or 1) > 1):
        return Agreement.INCOMPARABLE
    # A plain date beside a stretch of time is meant as its last day, so that neither is moved into the month it closes.
    as_written = (a.months is None) != (b.months is None) and a.month is not None and b.month is not None
    (a_year, a_month) = (a.year, a.month) if as_written else a.closing
    (b_year, b_month) = (b.year, b.month) if as_written else b.closing
    parts = (
        (a_year, b_year),
        (a.calendar_half, b.calendar_half) if a.half or b.half else (None, None),
        (a.calendar_quarter, b.calendar_quarter) if a.quarter or b.quarter else (None, None),
        (a_month, b_month),
        (a.day, b.day),
    )
    known = [(left, right) for left, right in parts if left is not None and right is not None]
    if not known:
        return Agreement.INCOMPARABLE if a.key != b.key else Agreement.AGREE
    return _said(all(left == right for left, right in known))


def _is_one_month(period: Period) -> bool:
    return period.month is not None and period.day is None and period.length is None


def _comparable(a: Quantity, b: Quantity) -> bool:
    if a.unit != b.unit and {a.unit, b.unit} != {"", "money"}:
        return False
    if a.unit != b.unit and (a.counted or b.counted):
        return False  # employees are not euros
    return all(
        left is None or right is None or left == right
        for left, right in ((a.currency, b.currency), (a.counted, b.counted), (a.per, b.per))
    )


def _slack(a: Quantity, b: Quantity) -> Decimal:
    slack = max(a.step, b.step) / 2
    if a.approximate or b.approximate:
        slack = max(slack, APPROXIMATE_SHARE * max(abs(a.value), abs(b.value)))
    return slack


def _ends(quantity: Quantity) -> tuple[Decimal | None, Decimal | None]:
    """Least and greatest value it allows; none where it is open."""
    low = None if quantity.bound is Bound.AT_MOST else quantity.value
    top = quantity.value if quantity.upper is None else quantity.upper
    return low, None if quantity.bound is Bound.AT_LEAST else top


def _above(low: Decimal | None, high: Decimal | None, slack: Decimal) -> bool:
    return low is not None and high is not None and low - high > slack


def _said(agree: bool) -> Agreement:
    return Agreement.AGREE if agree else Agreement.DISAGREE


_SCALE_NAMES = {Decimal(10) ** 3: "thousand", Decimal(10) ** 6: "million", Decimal(10) ** 9: "billion"}
_UNIT_ENDINGS = {
    "percent": "%", "point": " percentage points", "times": " times", "celsius": " °C", "gram": " g", "metre": " m",
    "watt": " W", "watt hour": " Wh", "byte": " bytes", "second": " seconds", "month": " months", "litre": " l",
}  # fmt: skip


def write_number(value: Decimal, step: Decimal) -> str:
    """With thousands separators and as many decimals as `step` has: 655,230 or 1.27."""
    with localcontext(prec=WORKING_DIGITS):
        exponent = min(step.normalize().as_tuple().exponent, 0) if step else 0
        rounded = value.quantize(Decimal(1).scaleb(int(exponent)), ROUND_HALF_UP)
        return f"{abs(rounded) if rounded == 0 else rounded:,f}"


def latex_number(value: Decimal, step: Decimal) -> str:
    """The same for a formula: a bare comma would be set as punctuation."""
    return write_number(value, step).replace(",", "{,}")


def write(quantity: Quantity, scale: Decimal = Decimal(1)) -> str:
    """A quantity as a person would write it, in the given scale: EUR 655,230 thousand; 9.0%; 2,946."""
    with localcontext(prec=WORKING_DIGITS):
        number = write_number(quantity.value / scale, quantity.step / scale)
        if quantity.upper is not None:
            number += "–" + write_number(quantity.upper / scale, quantity.step / scale)
    ending = f" {scale_name(scale)}" if scale_name(scale) else ""
    ending += " days" if _in_days(quantity, scale) else _UNIT_ENDINGS.get(quantity.unit, "")
    before = f"{quantity.currency} " if quantity.currency else ""
    return f"{before}{number}{ending}" + (f" per {quantity.per}" if quantity.per else "")


def _in_days(quantity: Quantity, scale: Decimal) -> bool:
    return quantity.unit == "second" and scale == DAY


def scale_name(scale: Decimal) -> str:
    return _SCALE_NAMES.get(scale, "") if scale != 1 else ""


def latex_unit(quantity: Quantity, scale: Decimal) -> str:
    """The unit of a result as it stands after the number in LaTeX."""
    if quantity.unit == "percent":
        return r"\,\%"
    words = {"point": "percentage points", "times": "times"}.get(quantity.unit, "")
    words = "days" if _in_days(quantity, scale) else words
    per = f"per {quantity.per}" if quantity.per else ""
    named = " ".join(part for part in (quantity.currency, scale_name(scale), words, per) if part)
    return rf"\ \text{{{named}}}" if named else ""
