"""The figures of a table's lines, with what the whole table tells of them and what the filing tags them as."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from docmind.domain.documents import Fact, Tag
from docmind.quality.quantities import Figure, Period, Terms, read_table, read_terms
from docmind.quality.quantities.quantity import Quantity
from docmind.quality.quantities.tables import Kind, kind_of
from docmind.quality.quantities.unit_terms import NO_TERMS
from docmind.skills.finance.phrases import terms

DAYS_OF_A_MONTH = 30.44
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_EMPTY = frozenset(terms("member domain segment"))
_CURRENCY = re.compile(r"[A-Z]{3}")


def take_tags(figures: Sequence[Figure], facts: Sequence[Fact]) -> list[Figure]:
    """The figures of a line, each with what its tag says where it has one."""
    return [_tagged(figure, facts) for figure in figures] if facts else list(figures)


def _tagged(figure: Figure, facts: Sequence[Fact]) -> Figure:
    tag = next((fact.tag for fact in facts if fact.span.overlaps(figure.span)), None)
    if tag is None:
        return figure
    scale = Decimal(10) ** tag.scale
    step = figure.quantity.step / figure.scale * scale
    quantity = _measured(replace(figure.quantity, value=tag.value, step=step, upper=None, scaled=tag.scale != 0), tag)
    if quantity.unit == "percent":
        scale = Decimal(1)
    return replace(
        figure, quantity=quantity, scale=scale, period=_tagged_period(tag), concept=tag.concept, members=tag.members
    )


def _measured(quantity: Quantity, tag: Tag) -> Quantity:
    """The quantity in the unit of its tag; a share of one is in per cent, as pages show it."""
    what, _, per = tag.unit.partition("/")
    plain = replace(quantity, unit="", currency=None, counted=None, per=None)
    if _CURRENCY.fullmatch(what):
        return replace(plain, unit="money", currency=what, per="share" if per == "shares" else per or None)
    if what == "shares":
        return replace(plain, counted="share")
    if what == "pure" and (tag.scale == -2 or quantity.unit == "percent"):
        hundred = Decimal(100)
        return replace(plain, value=tag.value * hundred, step=quantity.step * hundred, unit="percent", scaled=False)
    return plain


def _tagged_period(tag: Tag) -> Period:
    """The day or the stretch of time that a tag is of."""
    months = (
        None if tag.start is None else max(1, round((tag.end - tag.start + dt.timedelta(1)).days / DAYS_OF_A_MONTH))
    )
    return Period(tag.end.year, month=tag.end.month, day=tag.end.day, months=months)


def concept_terms(concept: str) -> tuple[str, ...]:
    """The words of a concept's name: net income loss of `us-gaap:NetIncomeLoss`."""
    return terms(" ".join(_WORD.findall(concept.rpartition(":")[2])))


def member_terms(figure: Figure) -> frozenset[str]:
    """The words by which the parts of the company are called that a figure is of."""
    return frozenset(word for member in figure.members for word in concept_terms(member)) - _EMPTY


CELL = " | "
NAMED = ": "
_NIL = re.compile(r"(?<=[:|] )[-–—](?= \||$)|(?<=[:|] [$€£])[-–—](?= \||$)")
"""A cell with nothing but a dash, which accounts write for nothing."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LEADING_YEAR = re.compile(r"((?:19|20)\d\d) [a-z]")
_DOUBLE_YEAR = re.compile(r"\b((?:19|20)\d\d)\s?/\s?((?:19|20)\d\d)\b")
_SHORT_YEAR = re.compile(r"\bF(\d\d)\b")
_PERCENT_COLUMN = re.compile(r"\b(?:19|20)\d\d \(?%\)?$")
_REMEMBERED = 1 << 13
"""Lines: those that one question finds are read several times, and again for the next question."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a passage of a table, and where it begins in the document."""

    text: str
    start: int
    source: str

    @property
    def has_cells(self) -> bool:
        return CELL in self.text


def read_lines(lines: Sequence[Line], caption: str, defaults: Terms) -> list[list[Figure]]:
    """The figures of each line."""
    terms = _of_headers(lines)
    stated = defaults if terms == NO_TERMS else terms
    return _in_one_currency([_read(line, caption, stated) for line in lines])


def _of_headers(lines: Iterable[Line]) -> Terms:
    """What the names of the columns say outside brackets: 2019 €m, 2018 $'000."""
    headers = {cell.rpartition(NAMED)[0] for line in lines for cell in line.text.split(CELL)}
    found = {Terms(terms.scale, terms.currency) for terms in map(read_terms, headers) if terms.scale is not None}
    return found.pop() if len(found) == 1 else NO_TERMS


@lru_cache(maxsize=_REMEMBERED)
def _read(line: Line, caption: str, defaults: Terms) -> list[Figure]:
    # A zero takes as many characters as the dash that it is read for, so that every place stays what it is.
    text = _NIL.sub("0", line.text)
    figures = read_table(text, caption, offset=line.start, defaults=defaults, source=line.source)
    return _in_one_calendar([_in_percent(_dated(_in_years(_as_written(figure, line)))) for figure in figures])


def _as_written(figure: Figure, line: Line) -> Figure:
    text = line.text[figure.span.start - line.start : figure.span.end - line.start]
    return replace(figure, quantity=replace(figure.quantity, text=text))


def _dated(figure: Figure) -> Figure:
    """A year beside a currency, "2019 €m", is a year in the name of a column; 2018/2019 ends in 2019; F19 is 2019.

    A row that is called "2019 net revenue" is of 2019.
    """
    if figure.period is not None:
        return figure
    double, short = _DOUBLE_YEAR.search(figure.column), _SHORT_YEAR.search(figure.column)
    if double is not None and int(double[2]) == int(double[1]) + 1:
        return replace(figure, period=Period(int(double[2]), fiscal=True))
    if short is not None:
        return replace(figure, period=Period(2000 + int(short[1]), fiscal=True))
    if (leading := _LEADING_YEAR.match(figure.label)) is not None:
        return replace(figure, period=Period(int(leading[1])))
    years = set(_YEAR.findall(figure.column))
    return replace(figure, period=Period(int(years.pop()))) if len(years) == 1 else figure


def _in_percent(figure: Figure) -> Figure:
    """A column called "2019 %" is in per cent, though a year with a per cent sign would be none elsewhere."""
    quantity = figure.quantity
    if quantity.unit not in ("", "money") or not _PERCENT_COLUMN.search(figure.column):
        return figure
    value, step = quantity.value / figure.scale, quantity.step / figure.scale
    plain = replace(quantity, value=value, step=step, unit="percent", currency=None, scaled=False)
    return replace(figure, quantity=plain, scale=Decimal(1))


def _in_years(figure: Figure) -> Figure:
    """Terms that a row gives in years are computed with and shown in years, not in the months they are compared in."""
    quantity = figure.quantity
    if quantity.unit != "month" or "(" not in figure.label or "years" not in figure.label.lower():
        return figure
    return replace(figure, quantity=replace(quantity, value=quantity.value / 12, step=quantity.step / 12, unit="year"))


def _in_one_calendar(figures: Sequence[Figure]) -> list[Figure]:
    """Columns of one row count their years alike, whichever of them says that these are fiscal."""
    fiscal = any(figure.period is not None and figure.period.fiscal for figure in figures)
    return [
        replace(figure, period=replace(figure.period, fiscal=fiscal)) if figure.period is not None else figure
        for figure in figures
    ]


def _in_one_currency(lines: list[list[Figure]]) -> list[list[Figure]]:
    """A sign in the first row stands for the whole table where no other currency is shown."""
    shown = {figure.quantity.currency for line in lines for figure in line if figure.quantity.currency}
    if len(shown) != 1:
        return lines
    currency = next(iter(shown))
    return [[_in_currency(figure, currency) for figure in line] for line in lines]


def _in_currency(figure: Figure, currency: str | None) -> Figure:
    quantity = figure.quantity
    monetary = kind_of(figure.label, figure.column) in (Kind.MONEY, Kind.PER_SHARE)
    if quantity.unit or quantity.counted or not monetary:
        return figure
    return replace(figure, quantity=replace(quantity, unit="money", currency=currency))
