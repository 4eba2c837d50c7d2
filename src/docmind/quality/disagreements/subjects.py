"""Dates that the quote gives to another thing: a sentence tells when two things happen, and the claim mixes them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.mentions import placed_periods
from docmind.quality.disagreements.pairing import Placed
from docmind.quality.disagreements.reading import Reading
from docmind.quality.quantities import Agreement, Period, same_period

_NEXT_STATEMENT = re.compile(r",?+ (?:and|but|while|whereas)\b|;")
"""What joins a statement that has a date to one with a subject of its own; a comma alone may end a mere opening."""


def subject_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """For each date of the claim that the quote has for something else, the date it has for the claim's subject.

    Only a subject that comes after the date's own statement is told apart for certain: one before it may be shared,
    as in "The firm was founded in 1990 and moved in 2005".
    """
    dates = placed_periods(quote)
    mine = placed_periods(claim)
    if len(dates) < 2 or not mine:
        return
    said = _keys(claim, 0, len(claim.words), without=mine)
    for claimed in mine:
        place = next((n for n, one in enumerate(dates) if _is(claimed, one, Agreement.AGREE)), len(dates))
        if not said or place == len(dates) or not _has_another_subject(quote, dates, place, said):
            continue
        for before, stated in pairwise(dates[place:]):
            spoken_of = _keys(quote, before.slot.end, stated.slot.first)
            if said[0] in spoken_of and _is(claimed, stated, Agreement.DISAGREE):
                yield differ(DisagreementKind.DATE, claim, claimed.item.span, quote, stated.item.span)
                break


def _has_another_subject(quote: Reading, dates: list[Placed[Period]], place: int, said: list[str]) -> bool:
    """Whether the statement that ends with this date begins with something the claim does not speak of."""
    date = dates[place]
    if not _NEXT_STATEMENT.match(quote.text, date.item.span.end):
        return False
    start = dates[place - 1].slot.end if place else 0
    stops = [n for n in range(start, date.slot.first) if quote.words[n].stops]
    own = _keys(quote, stops[-1] if stops else start, date.slot.first)
    return bool(own) and own[0] not in said and said[0] not in own


def _is(one: Placed[Period], other: Placed[Period], agreement: Agreement) -> bool:
    return same_period(one.item, other.item) is agreement


def _keys(reading: Reading, first: int, end: int, without: list[Placed[Period]] | None = None) -> list[str]:
    """The words of a stretch that carry a meaning, in order."""
    dated = {n for one in without or () for n in range(one.slot.first, one.slot.end)}
    return [reading.words[n].key for n in range(first, end) if reading.words[n].carries and n not in dated]
