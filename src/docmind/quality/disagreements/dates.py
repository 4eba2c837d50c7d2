"""Dates and periods that differ for the same event or figure."""

from collections.abc import Iterator

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.likeness import Likeness, Nearness, Slot
from docmind.quality.disagreements.mentions import beside, placed_periods, placed_quantities
from docmind.quality.disagreements.pairing import Placed, opposed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.quantities import Agreement, Period, Quantity, agrees, same_period

_ROLES = {
    "since": "from", "from": "from", "between": "from", "after": "after", "until": "to", "till": "to", "to": "to",
    "through": "to", "and": "to", "before": "before", "by": "before", "the": "which", "a": "which", "its": "which",
    "his": "which", "her": "which", "their": "which",
}  # fmt: skip
"""What the word before a date makes of it: a beginning, an end, which one of several. Else it is when something was."""


def date_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """For each date of the claim, the date that stands in its place in the quote, where that is another one."""
    claimed_at, stated_at = placed_quantities(claim), placed_quantities(quote)

    def of_one_event(a: Placed[Period], b: Placed[Period], alike: Likeness) -> bool:
        if not alike.is_one_place and alike.before < Nearness.NEXT:
            return False
        if _role(claim, a.slot) != _role(quote, b.slot):
            return False
        return not _of_other_figures(beside(a.slot, claimed_at), beside(b.slot, stated_at))

    for claimed, stated in opposed(placed_periods(claim), placed_periods(quote), same_period, of_one_event):
        yield differ(DisagreementKind.DATE, claim, claimed.item.span, quote, stated.item.span)


def _role(reading: Reading, slot: Slot) -> str:
    return _ROLES.get(reading.words[slot.first - 1].lower, "when") if slot.first else "when"


def _of_other_figures(a: Quantity | None, b: Quantity | None) -> bool:
    """Whether two dates come with different numbers, and so tell of two events or of one thing at two times."""
    return a is not None and b is not None and agrees(a, b) is Agreement.DISAGREE
