"""Looks up what a plan names: the figures of each lookup, or why it found none."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from docmind.domain.documents import Span
from docmind.quality.quantities import Figure, Operand, Period
from docmind.skills.finance.catalogue import Item, Measure, item_called, measure_called, metrics_in
from docmind.skills.finance.companies import named, owned
from docmind.skills.finance.compute.calculations import newest_first
from docmind.skills.finance.compute.checks import doubts_on
from docmind.skills.finance.evidence.choice import LIKELY, Candidate, WantedFigure, choose, shortlist
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.lookup import look_up as state
from docmind.skills.finance.evidence.named_rows import ending, figure_at, of_asked, row_of
from docmind.skills.finance.evidence.series import Series, over_tables
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import terms
from docmind.skills.finance.plan.plan import Lookup, Plan, expanded
from docmind.skills.finance.question import FinanceQuestion, read_question

LIKELIER = 0.7
"""How likely a row has to be the one that is meant, to be taken for one that goes by the name."""


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
    by_catalogue: set[str] = field(default_factory=set)
    """Those that are rows of the catalogue's names, and not only near what was asked for."""
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Month and day that the figure of a year ends at."""
    by_meaning: set[str] = field(default_factory=set)
    """Those whose row was chosen by meaning."""
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
            if lookup.optional:
                looked.found[lookup.id] = ()
                continue
            looked.unfound.append(Unfound(lookup, f"{_not_there(lookup, owner)} {missing}".strip()))
        else:
            looked.found[lookup.id] = tuple(owned(owner, one) for one in found) if several else found
    _drop_parts_of_years(plan, looked)
    _share_label(plan, looked)
    _share_currency(looked)
    return looked


def _share_label(plan: Plan, looked: LookedUp) -> None:
    """One item of one company is one thing, whatever each of its reports calls it."""
    labels: dict[tuple[str, str], str] = {}
    for lookup in plan.lookups:
        if lookup.id in looked.by_catalogue and (found := looked.found[lookup.id]):
            label = labels.setdefault((lookup.company, lookup.phrase), found[0].label)
            looked.found[lookup.id] = tuple(replace(figure, label=label) for figure in found)


def _share_currency(looked: LookedUp) -> None:
    """Amounts of statements are in the one currency that any of them shows: only the first rows have its sign."""
    every = [figure for found in looked.found.values() for figure in found]
    shown = {figure.quantity.currency for figure in every if figure.quantity.currency}
    if len(shown) != 1:
        return
    currency = shown.pop()
    known = looked.by_catalogue | looked.by_meaning
    for one in known & looked.found.keys():
        looked.found[one] = tuple(_in_currency(figure, currency) for figure in looked.found[one])


def _in_currency(figure: Operand, currency: str | None) -> Operand:
    quantity = figure.quantity
    if quantity.unit or quantity.counted or not isinstance(figure, Figure):
        return figure
    return replace(figure, quantity=replace(quantity, unit="money", currency=currency))


def _drop_parts_of_years(plan: Plan, looked: LookedUp) -> None:
    """Of figures asked for at one year those that end before the others are of a part of it, and not what is meant."""
    for lookup in plan.lookups:
        same = [one.id for one in plan.lookups if (one.company, one.period) == (lookup.company, lookup.period)]
        last = max((looked.ends[one] for one in same if one in looked.ends), default=(0, 0))
        if lookup.id in looked.ends and (0, 0) < looked.ends[lookup.id] < last:
            looked.unfound.append(Unfound(lookup, f"{_not_there(lookup, lookup.company)} It is told for a part of it."))


def _owner(lookup: Lookup, evidence: Evidence) -> str | None:
    """Whose figure is meant: without a company, that of the only one with rows of the part that is named."""
    owner = _owner_called(lookup.company, evidence)
    if owner is not None or lookup.company or lookup.segment.islower():
        return owner
    having = [one for one in evidence.companies if any(_is_of(lookup.segment, row) for row in evidence.of(one).series)]
    return having[0] if len(having) == 1 and lookup.segment else None


def _owner_called(company: str, evidence: Evidence) -> str | None:
    """The company of the passages that is meant; empty where they are of nobody known, None where of others."""
    companies = evidence.companies
    if company:
        meant = [company] if company in companies else named(company, companies)
        if meant or companies:
            return meant[0] if len(meant) == 1 else None
        said = " ".join(passage.text for passage in evidence.passages).lower()
        return "" if company.lower() in said else None
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


def written_out(plan: Plan, evidence: Evidence) -> Plan:
    """The plan with the measures that the passages do not state as lookups and steps."""
    companies = [lookup.company for lookup in plan.lookups]
    own = {company: evidence.of(owner) if owner else evidence for company, owner in _owners(companies, evidence)}

    def stated(_measure: Measure, lookup: Lookup) -> bool:
        row = _row(lookup, lookup.periods, own.get(lookup.company, evidence))
        return row is not None and all(figure_at(row, period) for period in lookup.periods)

    return expanded(plan, stated)


def _owners(companies: Iterable[str], evidence: Evidence) -> Iterator[tuple[str, str | None]]:
    for company in dict.fromkeys(companies):
        yield company, _owner_called(company, evidence)


def wanted_of(lookup: Lookup) -> WantedFigure:
    """What a lookup looks for, as rows are held against it."""
    when = f" in {lookup.period}" if lookup.period else ""
    return WantedFigure(lookup.item, lookup.segment, lookup.periods, f"What was the {lookup.phrase}{when}?")


def row_called(lookup: Lookup, own: Evidence) -> Series | None:
    """The row of what a lookup names, if the catalogue knows it."""
    return _row(lookup, lookup.periods, own)


def _row(lookup: Lookup, periods: tuple[Period, ...], own: Evidence) -> Series | None:
    """The row of what the catalogue knows; a measure in per cent is no item of that name."""
    measure, item = measure_called(lookup.item), item_called(lookup.item)
    known = measure if measure is not None and (measure.unit or item is None) else item
    row = row_of(known, own, periods, lookup.segment, lookup.item) if known is not None else None
    if row is None or all(figure_at(row, period) for period in periods):
        return row
    return over_tables(row, own.series)


def _figures(lookup: Lookup, wanted: tuple[Period, ...], own: Evidence, looked: LookedUp) -> tuple[Operand, ...]:
    if lookup.period and not lookup.periods:
        raise _Missing(f"“{lookup.period}” names no year.")
    known = item_called(lookup.item)
    row = _row(lookup, wanted, own) or _row(lookup, lookup.periods, own)
    choice = _choice(lookup, row, own)
    if choice is not None:
        looked.series[lookup.id] = choice.series
        looked.by_meaning.add(lookup.id)
        return _asked_for(choice.figures, lookup, known)
    if row is not None:
        row = over_tables(row, own.series)
        figures = tuple(figure_at(row, period) for period in lookup.periods)
        if all(figures):
            looked.series[lookup.id] = row
            if known is None or known.statement:
                looked.by_catalogue.add(lookup.id)
            if len(figures) == 1 and lookup.periods[0] == Period(
                lookup.periods[0].year, fiscal=lookup.periods[0].fiscal
            ):
                looked.ends[lookup.id] = ending(_known(figures)[0])
            return _asked_for(_known(figures or (newest_first(row.figures)[0],)), lookup, known)
    asked = replace(read_question(lookup.phrase), operation=Operation.LOOKUP, periods=wanted, is_stretch=False)
    series = own.best(lookup.phrase, at=wanted) or own.prose.series(asked)
    dated = tuple(figure_at(series, period) for period in lookup.periods) if series is not None else ()
    if known is not None and series is not None and _is_of_another(series, known):
        raise _Missing
    if series is not None and all(dated):
        looked.series[lookup.id] = series
        found = _known(dated or (newest_first(series.figures)[0],))
    else:
        found = _stated(replace(asked, periods=lookup.periods), own)
    looked.doubts += [doubt for doubt in _doubts(lookup, asked, found, own) if doubt not in looked.doubts]
    return _asked_for(found, lookup, known)


def _choice(lookup: Lookup, row: Series | None, own: Evidence) -> Candidate | None:
    """The row that is meant by meaning, where none goes by the name or another is far likelier than the one that does.

    The reader is asked only where the row that goes by the name is not the one that fits best.
    """
    named = [figure_at(row, period) for period in lookup.periods] if row is not None else [None]
    wanted = wanted_of(lookup)
    if all(named) and own.answers is not None:
        few, _ = shortlist(wanted, own, 1)
        if any(_say_the_same(one.figures, named) for one in few):
            return None
    choice = choose(wanted, own)
    if choice is None or not choice.candidate.dated or choice.likely < (LIKELIER if all(named) else LIKELY):
        return None
    return choice.candidate if _is_of(lookup.segment, choice.candidate.series) else None


def _is_of(segment: str, series: Series) -> bool:
    """Whether a row has the names of the part of the company that is asked about, or stands under them."""
    names = [terms(word) for word in segment.split() if word[0].isupper()]
    section = terms(series.row.section) if series.row is not None else ()
    said = series.name | series.aside | series.column | series.context | frozenset(section)
    return all(said.issuperset(name) for name in names)


def _say_the_same(ones: Sequence[Figure], others: Sequence[Figure | None]) -> bool:
    return [one.quantity.value for one in ones] == [one.quantity.value for one in others if one is not None]


def _is_of_another(series: Series, item: Item) -> bool:
    """Whether the nearest row goes by the name of something else that the catalogue knows."""
    named = metrics_in(terms(series.label))
    return bool(named) and item.name not in named


def _stated(asked: FinanceQuestion, own: Evidence) -> tuple[Figure, ...]:
    """What a table or a sentence states of a phrase, whichever says more of it."""
    found = state(asked, own)
    figures = tuple(one for one in found.results if isinstance(one, Figure))
    if found.refusal or found.quotes or len(figures) != max(len(asked.periods), 1):
        raise _Missing
    return figures


def _asked_for(figures: tuple[Figure, ...], lookup: Lookup, item: Item | None) -> tuple[Figure, ...]:
    """With the periods that were asked for, and of costs and payments the size."""
    dated = [of_asked(*one) for one in zip(figures, lookup.periods, strict=True)] if lookup.periods else figures
    paid = item is not None and item.paid
    return tuple(replace(one, quantity=one.quantity.size) if paid else one for one in dated)


def _known(figures: tuple[Figure | None, ...]) -> tuple[Figure, ...]:
    known = tuple(figure for figure in figures if figure is not None)
    if len(known) < len(figures):
        raise _Missing
    return known


def _doubts(lookup: Lookup, asked: FinanceQuestion, found: tuple[Figure, ...], own: Evidence) -> Iterator[str]:
    used: set[Span] = {figure.span for figure in found}
    return doubts_on(lookup.phrase, replace(asked, periods=lookup.periods), own, used)
