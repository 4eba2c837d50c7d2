"""Numbers and units that differ for the same thing."""

from collections.abc import Iterator
from decimal import Decimal, localcontext

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.likeness import Likeness, Nearness
from docmind.quality.disagreements.mentions import beside, placed_periods, placed_quantities
from docmind.quality.disagreements.pairing import Placed, opposed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.quantities import Agreement, Bound, Period, Quantity, agrees, same_period
from docmind.quality.quantities.quantity import WORKING_DIGITS


def number_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """For each number of the claim, the number that stands in its place in the quote, where that is another one."""
    claimed_at, stated_at = placed_periods(claim), placed_periods(quote)

    def of_one_thing(a: Placed[Quantity], b: Placed[Quantity], alike: Likeness) -> bool:
        return _is_one_thing(a, b, alike) and not _of_other_times(beside(a.slot, claimed_at), beside(b.slot, stated_at))

    for claimed, stated in opposed(placed_quantities(claim), placed_quantities(quote), _compare, of_one_thing):
        kind = _kind(claimed.item, stated.item)
        if kind is not None:
            yield differ(kind, claim, claimed.item.span, quote, stated.item.span)


def _compare(claimed: Quantity, stated: Quantity) -> Agreement:
    # Costs stand in brackets in a table and plain in a sentence, so that a sign alone contradicts nothing.
    if agrees(claimed.size, stated.size) is Agreement.AGREE or _follows(claimed, stated):
        return Agreement.AGREE
    return Agreement.INCOMPARABLE if _kind(claimed, stated) is None else Agreement.DISAGREE


def _follows(claimed: Quantity, stated: Quantity) -> bool:
    """Whether one limit is the other, rounded down: over 300 for over 312, over a billion for over 100 billion."""
    if claimed.bound is not Bound.AT_LEAST or stated.bound is not Bound.AT_LEAST or claimed.value <= 0:
        return False
    if agrees(claimed, stated) is Agreement.INCOMPARABLE or claimed.value > stated.value:
        return False
    digits, zeros = claimed.value.normalize().as_tuple()[1:]
    with localcontext(prec=WORKING_DIGITS):
        unit = Decimal(1).scaleb(int(zeros))
        return digits == (1,) or stated.value // unit * unit == claimed.value


def _kind(a: Quantity, b: Quantity) -> DisagreementKind | None:
    """A disagreement in the number, in its unit, or none where both may be right."""
    agreement = agrees(a, b)
    if agreement is Agreement.AGREE:
        return None
    written_alike = _digits(a) == _digits(b) and a.upper is None and b.upper is None
    if agreement is Agreement.DISAGREE:
        return DisagreementKind.UNIT if written_alike else DisagreementKind.NUMBER
    units = {a.unit, b.unit}
    told = units.isdisjoint({"", "ordinal"})
    return DisagreementKind.UNIT if units == {"percent", "point"} or (written_alike and told) else None


def _digits(quantity: Quantity) -> Decimal:
    """The number as written, before scale and unit: 5 for both 5 million and 5 billion."""
    return abs(quantity.value / quantity.step).normalize()


def _is_one_thing(a: Placed[Quantity], b: Placed[Quantity], alike: Likeness) -> bool:
    """A measure is told by what stands before it, since its unit says what it is; a count also by what it counts."""
    if alike.is_one_place:
        return True
    measures = a.item.unit == b.item.unit and a.item.unit not in ("", "ordinal")
    return measures and alike.before >= Nearness.NEXT


def _of_other_times(a: Period | None, b: Period | None) -> bool:
    """Whether two numbers are told for different times, and so may both be right."""
    return a is not None and b is not None and same_period(a, b) is Agreement.DISAGREE
