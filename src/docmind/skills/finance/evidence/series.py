"""Series: one thing of a table over its periods, what it is called, and where other tables go on with it."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docmind.quality.quantities import Agreement, Aspect, Figure, Period, agrees, read
from docmind.quality.quantities.periods import MONTHS
from docmind.quality.quantities.quantity import HALF_A_YEAR
from docmind.skills.finance.evidence.cells import member_terms
from docmind.skills.finance.evidence.tables import Row, Table
from docmind.skills.finance.phrases import terms

FOOTNOTE = re.compile(r"\s?\(\d{1,2}\)|\*+")
_DAY = re.compile(
    r"\b(?:\d{1,2} )?(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?(?: \d{1,2}\b)?", re.IGNORECASE
)
_BRACKETS = re.compile(r"\([^()]{0,80}+(?:\([^()]{0,20}+\)[^()]{0,20}+)?+\)")
_YEAR = re.compile(r"(?:19|20)\d\d|0{3}")
WHEN = frozenset(
    terms(
        "year years end ended ending period fiscal thousand thousands million millions billion billions dollar dollars "
        "unaudited usd eur gbp three six nine twelve months month " + " ".join(MONTHS)
    )
)


def name_of(label: str) -> frozenset[str]:
    """The words of a label beside the period it is of and what it adds in brackets."""
    return frozenset(terms(_undated(_BRACKETS.sub(" ", label))))


def whole_name_of(label: str) -> frozenset[str]:
    """The same with what it adds in brackets."""
    return frozenset(terms(_undated(label)))


def column_name_of(column: str) -> frozenset[str]:
    """The words of a column's name beside the period and scale it is of."""
    plain = FOOTNOTE.sub("", _DAY.sub(" ", _undated(column)))
    return frozenset(term for term in terms(plain) if not _YEAR.fullmatch(term)) - WHEN


def only_tells_when(label: str) -> bool:
    """Whether a label is a period and nothing else."""
    return bool(label) and all(term in WHEN or term[0].isdigit() for term in terms(label))


@lru_cache(maxsize=1 << 13)
def _undated(text: str) -> str:
    for mention in reversed(read(text)):
        if isinstance(mention, Period) and (mention.year or mention.month):
            text = text[: mention.span.start] + " " + text[mention.span.end :]
    return text


A_YEAR = 12
"""Months."""
_AVERAGES = frozenset(terms("average averages mean"))
_CHANGES = frozenset(terms("change difference variance increase decrease growth"))
Group = tuple[frozenset[str], tuple[Figure, ...]]


@dataclass(frozen=True, slots=True)
class Series:
    """Figures that differ only in their period."""

    label: str
    name: frozenset[str]
    """What it is called, by the keys of `terms`."""
    aside: frozenset[str]
    """What its label adds in brackets, which a question may say or not."""
    column: frozenset[str]
    """What its columns are called beside their periods."""
    context: frozenset[str]
    """What else it stands under: the heading of its rows, the caption."""
    figures: tuple[Figure, ...]
    table: int
    row: Row | None = None
    """None where the periods stand in the rows and the series is a column."""
    owner: str = ""
    """The company whose figures they are, where that is known."""

    def at(self, period: Period) -> Figure | None:
        """The figure of a period; of several the most precise, of those the first."""
        dated = [(figure, figure.period) for figure in self.figures if figure.period is not None]
        fitting = [figure for figure, own in dated if within(own, period)]
        # A fiscal year of whole weeks may end in the first days of the next: January 3, 2020 closes 2019.
        fitting = fitting or [figure for figure, own in dated if within(_closing(own), period)]
        return min(fitting, key=lambda figure: figure.quantity.step, default=None)

    def ending(self, period: Period) -> Figure | None:
        """The figure of a longer stretch that ends when the period asked for does: cash flows since the year began."""
        if period.months is None or period.month is None:
            return None
        return next(
            (one for one in self.figures if one.period and within(one.period, replace(period, months=None))), None
        )

    def told_at(self, period: Period) -> Figure | None:
        """The figure of a period, or the only one there is where the table names no period at all."""
        lone = self.figures[0] if len(self.figures) == 1 and self.figures[0].period is None else None
        return self.at(period) or lone

    @property
    def unit(self) -> str:
        return self.figures[0].quantity.unit

    @property
    def concept(self) -> str:
        """What the document tags its figures as, where it does and they are alike."""
        concepts = {figure.concept for figure in self.figures}
        return concepts.pop() if len(concepts) == 1 else ""

    @property
    def is_total(self) -> bool:
        return "total" in self.name

    @property
    def is_average(self) -> bool:
        """Whether its figures are averages already."""
        return not _AVERAGES.isdisjoint(self.name | self.aside | self.column)

    @property
    def is_change(self) -> bool:
        return bool(self.column & _CHANGES) or any(figure.aspect is Aspect.CHANGE for figure in self.figures)


def within(period: Period, asked: Period) -> bool:
    """Whether a figure's period is the one asked for, as far as the question says which."""
    return (
        period.year == asked.year
        and asked.quarter in (None, period.calendar_quarter)
        and asked.half in (None, period.calendar_half)
        and (asked.half is None or period.length in (None, HALF_A_YEAR))
        and (asked.month is None or period.month in (None, asked.month))
        and (asked.months is None or period.length in (None, asked.months))
    )


def is_told_for(period: Period, asked: Period) -> bool:
    """The same, and where a year is asked for, the whole of it and not a part."""
    of_a_year = not (asked.quarter or asked.half or asked.month or asked.months)
    return within(period, asked) and (not of_a_year or period.length in (None, A_YEAR))


def _closing(period: Period) -> Period:
    year, month = replace(period, months=period.months or 12).closing
    return replace(period, year=year, month=month)


def series_of(tables: Sequence[Table], owners: Mapping[str, str]) -> list[Series]:
    """The series of some tables; `owners` names the company of each document, where it is known."""
    found = []
    for number, table in enumerate(tables):
        owner = owners.get(table.document_id, "")
        found += [replace(series, table=number, owner=owner) for series in _series(table)]
    return found


def _series(table: Table) -> Iterator[Series]:
    rows = [row for row in table.rows if row.figures]
    around = frozenset(terms(f"{table.caption} {table.lead}"))
    dated = [row for row in rows if only_tells_when(row.label)]
    if len(dated) > 1 and 2 * len(dated) >= len(rows):
        yield from _by_column(dated, around)
        rows = [row for row in rows if row not in dated]
    found: dict[tuple[frozenset[str], str, frozenset[str]], list[Series]] = {}
    for row in rows:
        for one in _of_row(row, around):
            found.setdefault((one.name, row.section, one.column), []).append(one)
    for alike in found.values():
        yield from _at_several_times(alike)


def _by_column(rows: Sequence[Row], around: frozenset[str]) -> Iterator[Series]:
    columns: dict[str, list[Figure]] = {}
    for row in rows:
        for figure in row.figures:
            columns.setdefault(figure.column, []).append(figure)
    for column, figures in columns.items():
        yield Series(column, frozenset(terms(column)), frozenset(), frozenset(), around, tuple(figures), 0)


def _of_row(row: Row, around: frozenset[str]) -> Iterator[Series]:
    label = FOOTNOTE.sub("", row.own_label)
    name = name_of(label) or frozenset(terms(row.figures[0].label))
    context = frozenset(terms(row.figures[0].label)) | around
    for column, figures in _grouped(row.figures, name):
        yield Series(label, name, whole_name_of(label) - name, column, context, figures, 0, row)


def _at_several_times(alike: Sequence[Series]) -> Sequence[Series]:
    """Rows that only their periods tell apart are one: Balance at June 30, 2018 and Balance at June 30, 2019."""
    figures = tuple(figure for one in alike for figure in one.figures)
    periods = {figure.period for figure in figures}
    return [replace(alike[0], figures=figures)] if len(periods) == len(figures) and None not in periods else alike


def _grouped(figures: Iterable[Figure], name: frozenset[str]) -> list[Group]:
    """The figures of a row by what their columns are called, and by the part of the company they are tagged as."""
    groups: dict[frozenset[str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault(column_name_of(figure.column) | (member_terms(figure) - name), []).append(figure)
    levels = {column: group for column, group in groups.items() if not column & _CHANGES}
    together = tuple(figure for group in levels.values() for figure in group)
    if len(levels) < 2 or not _differ_in_year(together):
        return [(column, tuple(group)) for column, group in groups.items()]
    # What else the columns are called goes with the year: 2019 (53 weeks), 2018 (52 weeks).
    changes = [(column, tuple(group)) for column, group in groups.items() if column not in levels]
    return [(frozenset.intersection(*levels), together), *changes]


def _differ_in_year(figures: Sequence[Figure]) -> bool:
    years = {figure.period.year for figure in figures if figure.period is not None}
    units = {figure.quantity.unit for figure in figures}
    return len(years) == len(figures) and None not in years and len(units) == 1


Key = tuple[int | None, int | None, int | None]


def over_columns(series: Series, every: Iterable[Series]) -> Series:
    """With the figures of the same row and unit whose columns are called otherwise: restated, unaudited."""
    beside = [one for one in every if one.row is not None and one.row is series.row and _comparable(one, series)]
    return replace(series, figures=tuple(figure for one in (series, *beside) for figure in one.figures))


def over_tables(series: Series, every: Iterable[Series]) -> Series:
    """With the figures of the same name that the company tells elsewhere, where they are known to be of one thing."""
    named = (one for one in every if one.name == series.name and one.owner == series.owner)
    waiting = [one for one in named if _comparable(one, series)]
    headings = {_headings(series)}
    while same := [one for one in waiting if _same_thing(one, series, headings)]:
        waiting = [one for one in waiting if one not in same]
        headings.update(map(_headings, same))
        series = replace(series, figures=_finest([series, *same]))
    return series


def _comparable(one: Series, series: Series) -> bool:
    return one is not series and one.unit == series.unit and not one.is_change


def _same_thing(one: Series, other: Series, headings: Collection[frozenset[str]]) -> bool:
    """Told by what both say of one period; where they share none, by standing under headings known to be of it."""
    ours, theirs = _by_period(one.figures), _by_period(other.figures)
    shared = ours.keys() & theirs.keys()
    if shared:
        return all(agrees(ours[key].quantity, theirs[key].quantity) is Agreement.AGREE for key in shared)
    return bool(ours and theirs) and _headings(one) in headings


def _finest(series: Sequence[Series]) -> tuple[Figure, ...]:
    """One figure a period, the most precise, newest first; those without a year stay behind."""
    figures = sorted((figure for one in series for figure in one.figures), key=lambda figure: figure.quantity.step)
    dated = _by_period(figures)
    newest = sorted(dated, key=lambda key: tuple(part or 0 for part in key), reverse=True)
    return (
        *(dated[key] for key in newest),
        *(figure for figure in figures if figure.period is None or figure.period.year is None),
    )


def _by_period(figures: Iterable[Figure]) -> dict[Key, Figure]:
    found: dict[Key, Figure] = {}
    for figure in figures:
        if figure.period is not None and figure.period.year is not None:
            found.setdefault(_key(figure.period), figure)
    return found


def _key(period: Period) -> Key:
    """Year, part of it and length: a balance at 31 December 2023 and a figure of 2023 are of one year."""
    length = period.length if period.length != 12 else None
    return period.year, period.quarter or period.half or (period.month if length else None), length


def _headings(series: Series) -> frozenset[str]:
    """The words it stands under, without when it was and what it is called itself."""
    words = series.context - series.name - WHEN
    return frozenset(word for word in words if not re.fullmatch(r"[\d.]++", word))
