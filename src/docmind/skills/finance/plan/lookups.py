"""Looks up what a plan names: the figures of each lookup, or why it found none."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from docmind.domain.documents import Span
from docmind.quality.quantities import Computed, Figure, Operand, Period
from docmind.skills.finance import between
from docmind.skills.finance.companies import named, owned
from docmind.skills.finance.doubts import doubts_on
from docmind.skills.finance.evidence import Evidence
from docmind.skills.finance.metrics import MadeOf, made_of
from docmind.skills.finance.over_time import newest_first
from docmind.skills.finance.plan.plan import Lookup, Plan
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.series import Series


@dataclass(frozen=True, slots=True)
class Unfound:
    """A lookup without its figure, and why, as a sentence."""

    lookup: Lookup
    reason: str


@dataclass(slots=True)
class LookedUp:
    """What lookups came to, by their ids."""

    found: dict[str, tuple[Operand, ...]] = field(default_factory=dict)
    series: dict[str, Series] = field(default_factory=dict)
    """The rows that figures were taken from, where they stand in tables."""
    unfound: list[Unfound] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


class _Missing(Exception):
    """No figure; the message says what else is known of it, as a sentence, or nothing."""


def look_up(plan: Plan, evidence: Evidence) -> LookedUp:
    """Every lookup by itself, but those of one item from one row: a change is that of one thing."""
    looked = LookedUp()
    owners = {lookup.id: _owner(lookup, evidence) for lookup in plan.lookups}
    own = {owner: evidence.of(owner) if owner else evidence for owner in owners.values() if owner is not None}
    several = len(own) > 1
    for lookup in plan.lookups:
        owner = owners[lookup.id]
        if owner is None:
            looked.unfound.append(Unfound(lookup, _of_whom(lookup)))
            continue
        try:
            found = _figures(lookup, _wanted(lookup, plan), own[owner], looked)
        except _Missing as missing:
            looked.unfound.append(Unfound(lookup, f"{_not_there(lookup, owner)} {missing}".strip()))
        else:
            looked.found[lookup.id] = tuple(owned(owner, one) for one in found) if several else found
    return looked


def _owner(lookup: Lookup, evidence: Evidence) -> str | None:
    """The company of the passages that a lookup means, empty where they are of nobody known; None where it has none."""
    companies = evidence.companies
    if lookup.company:
        meant = named(lookup.company, companies)
        if meant or companies:
            return meant[0] if len(meant) == 1 else None
        said = " ".join(passage.text for passage in evidence.passages).lower()
        return "" if lookup.company.lower() in said else None
    return None if len(companies) > 1 else (companies[0] if companies else "")


def _of_whom(lookup: Lookup) -> str:
    if lookup.company:
        return f"No passage is of {lookup.company}."
    return f"The passages are of several companies, and it is not said whose {lookup.phrase} is meant."


def _not_there(lookup: Lookup, owner: str) -> str:
    of, when = f" of {owner}" if owner else "", f" in {lookup.period}" if lookup.period else ""
    return f"There is no figure for {lookup.phrase}{of}{when}."


def _wanted(lookup: Lookup, plan: Plan) -> tuple[Period, ...]:
    """The periods of all lookups of the same item."""
    same = [one for one in plan.lookups if (one.company, one.phrase) == (lookup.company, lookup.phrase)]
    return tuple(dict.fromkeys(period for one in same for period in one.periods))


def _figures(lookup: Lookup, wanted: tuple[Period, ...], own: Evidence, looked: LookedUp) -> tuple[Operand, ...]:
    if lookup.period and not lookup.periods:
        raise _Missing(f"“{lookup.period}” names no year.")
    made = made_of(lookup.item)
    if made is not None and made.name.lower() == lookup.item.lower() and not own.states(made.name):
        return tuple(_measure(made, lookup, own))
    asked = replace(read_question(lookup.phrase), periods=wanted)
    series = own.best(lookup.phrase, at=wanted) or own.prose.series(asked)
    if series is None:
        figure = own.prose.figure(replace(asked, periods=lookup.periods)) if len(lookup.periods) < 2 else None
        return _known((figure,))
    looked.series[lookup.id] = series
    dated = tuple(series.told_at(period) for period in lookup.periods)
    found = _known(dated or (newest_first(series.figures)[0],))
    looked.doubts += [doubt for doubt in _doubts(lookup, asked, found, own) if doubt not in looked.doubts]
    return found


def _known(figures: tuple[Figure | None, ...]) -> tuple[Figure, ...]:
    known = tuple(figure for figure in figures if figure is not None)
    if len(known) < len(figures):
        raise _Missing
    return known


def _measure(made: MadeOf, lookup: Lookup, own: Evidence) -> Iterator[Computed]:
    """What no report states, from the two figures that it is made of."""
    first, second = (f"{lookup.segment} {phrase}".strip() for phrase in made.phrases)
    for period in lookup.periods or (None,):
        asked = replace(
            read_question(lookup.item), operation=made.operation, sides=None, periods=(period,) if period else ()
        )
        outcome = between.compute(asked, own, (first, second))
        if not isinstance(outcome, Computed):
            raise _Missing(f"It takes {first} and {second}.")
        yield replace(outcome, label=made.name)


def _doubts(lookup: Lookup, asked: FinanceQuestion, found: tuple[Figure, ...], own: Evidence) -> Iterator[str]:
    used: set[Span] = {figure.span for figure in found}
    return doubts_on(lookup.phrase, replace(asked, periods=lookup.periods), own, used)
