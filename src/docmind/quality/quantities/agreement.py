"""Whether two quantities, or two periods, say the same, as precisely as the less precise of them was written."""

from decimal import Decimal, localcontext
from enum import StrEnum

from docmind.quality.quantities.period import Period
from docmind.quality.quantities.quantity import WORKING_DIGITS, Bound, Quantity

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
