"""Columns of ranges ("up to 2 kg", "16 to 64", "June to August"): in which rows a number or a date falls."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from docmind.quality.quantities import Bound, Mention, Period, Quantity, read, read_quantities
from docmind.quality.quantities.periods import MONTHS
from docmind.skills.tables.table import Column, Table

_LEAST_BANDS = 2
_BARE_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_JOINT = re.compile(r"\s*[-–—]\s*|\s+(?:(?:up )?to|until|till|through|and)\s+", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?:[\s,;–—-]|\b(?:to|and|but|up|until|till|through|not|no|more|less|fewer|than|under|below|over|including)\b)+",
    re.IGNORECASE,
)
_UNIT = re.compile(r"(?:\(|\bin )([^\W\d]{1,12}|[€£$%])\)?\s*$")
_FROM = re.compile(r"(?:(?:from|min(?:imum)?|at least|over|above|more than|exceeding)\b|≥|>=?)", re.IGNORECASE)
_UP_TO = re.compile(
    r"(?:(?:up to|first|max(?:imum)?|at most|until|under|below|less than|fewer than)\b|≤|<=?)", re.IGNORECASE
)
_OPEN = re.compile(r"over|above|more than|exceeding|under|below|less than|fewer than|[<>](?!=)", re.IGNORECASE)
_AND_MORE = re.compile(
    r"\s*\+|.{0,20}\b(?:or|and) (?:more|over|above|older|longer|up|upwards|higher|later)\b", re.IGNORECASE
)
_AND_LESS = re.compile(r".{0,20}\b(?:or|and) (?:less|under|below|younger|shorter|fewer|lower|earlier)\b", re.IGNORECASE)
_DAYS_A_MONTH = 31
_SECONDS_A_MONTH = Decimal("2629800")


@dataclass(frozen=True, slots=True)
class Band:
    """A range of numbers of one unit, or of days of a year."""

    low: Decimal | None
    high: Decimal | None
    unit: str = ""
    """The base unit of its ends, `date` for days of a year, or none."""
    factor: Decimal = Decimal(1)
    """What one of the unit it is written in is worth: a kilogram is a thousand grams."""
    above: bool = False
    """Whether its lower end does not belong to it."""
    below: bool = False
    """Whether its upper end does not belong to it."""

    @property
    def ends(self) -> tuple[bool, bool]:
        """Whether it ends below and above."""
        return self.low is not None, self.high is not None

    @property
    def width(self) -> Decimal:
        """What the narrower of two ranges with the same ends has less of."""
        if self.low is None or self.high is None:
            return self.high if self.high is not None else -(self.low or Decimal())
        return self.high - self.low

    def holds(self, value: Decimal) -> bool:
        low = Decimal("-Infinity") if self.low is None else self.low
        high = Decimal("Infinity") if self.high is None else self.high
        if low > high:  # From November to March.
            return value >= low or value <= high
        return (low < value if self.above else low <= value) and (value < high if self.below else value <= high)


@dataclass(frozen=True, slots=True)
class Bands:
    """The ranges of one column, by row."""

    column: int
    ranges: tuple[Band | None, ...]

    def rows_with(self, mention: Mention, among: Iterable[int]) -> tuple[int, ...]:
        """The rows in whose range a number or date falls; of "up to 2" and "up to 5" the first holds 1."""
        holding = {
            row: band
            for row in among
            if (band := self.ranges[row]) and (value := _in_unit_of(band, mention)) is not None and band.holds(value)
        }
        narrowest: dict[tuple[bool, bool], Decimal] = {}
        for band in holding.values():
            narrowest[band.ends] = min(band.width, narrowest.get(band.ends, band.width))
        whole = narrowest.keys() & {(True, True)} or narrowest.keys()
        return tuple(row for row, band in holding.items() if band.ends in whole and band.width == narrowest[band.ends])


def bands_of(table: Table) -> Iterator[Bands]:
    """The columns that hold ranges, and pairs of columns that hold their ends."""
    for column in table.columns:
        cells = [row.cells[column.place] for row in table.rows]
        ranges = _ranges(cells, column.name) or _limits(cells, column)
        if ranges:
            yield Bands(column.place, ranges)
    for low, high in zip(table.columns[1:], table.columns[2:], strict=False):
        if ranges := _between(low, high):
            yield Bands(low.place, ranges)


@lru_cache(maxsize=1 << 14)
def read_band(cell: str) -> Band | None:
    """The range that a cell states; none where it states none."""
    numbers = [_in_seconds(one) for one in read_quantities(cell) if one.unit != "ordinal"]
    if days := _days(cell):
        return days
    if len(numbers) == 2:
        return _joined(cell, *numbers)
    return _from_or_up_to(cell, numbers[0]) if len(numbers) == 1 else None


def _from_or_up_to(cell: str, number: Quantity) -> Band | None:
    """A range that was read as one number: 2 to 5 kg, or one with a single end."""
    factor = _factor(number)
    if number.upper is not None:
        return Band(number.value, number.upper, number.unit, factor)
    before, after = cell[: number.span.start].strip(), cell[number.span.end :]
    is_open = _OPEN.search(before) is not None and not _is_denied(before)
    if number.bound is Bound.AT_MOST or _UP_TO.match(before) or _AND_LESS.match(after):
        return Band(None, number.value, number.unit, factor, below=is_open)
    if number.bound is Bound.AT_LEAST or _FROM.match(before) or _AND_MORE.match(after):
        return Band(number.value, None, number.unit, factor, above=is_open)
    return None


def _is_denied(words: str) -> bool:
    """Not more than 5."""
    return re.search(r"\b(?:not?|never)\b", words, re.IGNORECASE) is not None


def _joined(cell: str, first: Quantity, second: Quantity) -> Band | None:
    """A range whose ends were read as two numbers: 16 to 64, over 2 and up to 6 weeks."""
    between = cell[first.span.end : second.span.start]
    units = {one.unit for one in (first, second) if one.unit}
    unit = units.pop() if units else ""
    factor = _factor(second if second.unit else first)
    low, high = (one.value if one.unit or not unit else one.value * factor for one in (first, second))
    if not _BETWEEN.fullmatch(between) or units or low >= high:
        return None
    before = cell[: first.span.start]
    return Band(low, high, unit, factor, bool(_OPEN.search(before)), bool(_OPEN.search(between)))


def _ranges(cells: Sequence[str], name: str) -> tuple[Band | None, ...]:
    """The ranges of a column whose cells state them; a bare number among ranges is one of itself alone."""
    found = [read_band(cell) if cell else None for cell in cells]
    filled = sum(bool(cell) for cell in cells)
    if sum(band is not None for band in found) < max(_LEAST_BANDS, filled // 2):
        return ()
    factor, unit = _unit_of(name)
    whole = [band or _exactly(cell) for band, cell in zip(found, cells, strict=True)]
    return tuple(_scaled(band, factor, unit) if band and not band.unit else band for band in whole)


@lru_cache(maxsize=1 << 14)
def _exactly(cell: str) -> Band | None:
    numbers = read_quantities(cell)
    if len(numbers) != 1:
        return None
    number = _in_seconds(numbers[0])
    return Band(number.value, number.value, number.unit, _factor(number))


def _limits(cells: Sequence[str], column: Column) -> tuple[Band | None, ...]:
    """The ranges of a column of bare limits whose name says which end they are: "Up to (kg)"."""
    upper = _UP_TO.match(column.name) is not None
    if not column.is_numeric or not (upper or _FROM.match(column.name)):
        return ()
    factor, unit = _unit_of(column.name)
    numbers = [read_quantities(cell) for cell in cells]
    values = [found[0].value * factor if found else None for found in numbers]
    ordered = sorted(value for value in values if value is not None)
    unit = next((found[0].unit for found in numbers if found and found[0].unit), unit)

    def beside(value: Decimal) -> Band:
        others = [one for one in ordered if (one < value if upper else one > value)]
        other = (max(others) if upper else min(others)) if others else None
        return Band(other, value, unit, factor) if upper else Band(value, other, unit, factor)

    return tuple(None if value is None else beside(value) for value in values)


def _between(low: Column, high: Column) -> tuple[Band | None, ...]:
    """The ranges whose ends stand in two columns: each begins where the one before it ended, or behind that."""
    if not (low.is_numeric and high.is_numeric) or low.unit != high.unit or low.unit in ("date", "scale"):
        return ()
    factor, unit = _unit_of(low.name)
    ranges: list[Band | None] = []
    ended: Decimal | None = None
    for begin, end in zip(low.numbers, high.numbers, strict=True):
        if begin is None or (end is not None and end.value <= begin.value):
            return ()
        if ranges and (ended is None or begin.value < ended or begin.value > ended * 2):
            return ()
        ended = end.value if end else None
        told = (begin.quantity.unit if begin.quantity else "") or unit
        ranges.append(Band(begin.value * factor, ended * factor if ended is not None else None, told, factor))
    return tuple(ranges)


def _unit_of(name: str) -> tuple[Decimal, str]:
    """What a bare number below a column's name is worth, and in which unit: 1000 grams for "Weight (kg)"."""
    found = _UNIT.search(name)
    told = [_in_seconds(one) for one in read_quantities(f"1 {found[1]}")] if found else []
    return (told[0].value, told[0].unit) if len(told) == 1 and told[0].unit else (Decimal(1), "")


def _scaled(band: Band, factor: Decimal, unit: str) -> Band:
    low, high = (None if end is None else end * factor for end in (band.low, band.high))
    return replace(band, low=low, high=high, unit=unit, factor=factor)


def _in_seconds(number: Quantity) -> Quantity:
    """Months told in seconds, so that four months fall between six weeks and half a year."""
    return replace(number.times(_SECONDS_A_MONTH), unit="second") if number.unit == "month" else number


def _factor(number: Quantity) -> Decimal:
    """What one of the unit that a number is written in is worth in the base unit."""
    found = _BARE_NUMBER.search(number.text)
    written = read_quantities(found.group()) if found else []
    return abs(number.value / written[0].value) if written and written[0].value and number.unit else Decimal(1)


def _in_unit_of(band: Band, mention: Mention) -> Decimal | None:
    """A number of a question in the unit of a range, where it can be of it: "15" is 15 years beside years."""
    if isinstance(mention, Period):
        return _day(mention.month, mention.day or 1) if band.unit == "date" and mention.month else None
    if band.unit == "date" or mention.unit == "ordinal" or mention.upper is not None:
        return None
    mention = _in_seconds(mention)
    if mention.unit == band.unit:
        return mention.value
    if not mention.unit:
        return mention.value * band.factor
    return mention.value / _factor(mention) if not band.unit else None


def _days(cell: str) -> Band | None:
    """A part of the year: 1 June to 31 August, November to March."""
    ends = _JOINT.split(cell.strip())
    if len(ends) != 2:
        return None
    low, high = _end_of(ends[0], 1), _end_of(ends[1], _DAYS_A_MONTH)
    return Band(low, high, "date") if low is not None and high is not None else None


def _end_of(text: str, day: int) -> Decimal | None:
    if month := MONTHS.get(text.strip().lower()):
        return _day(month, day)
    found = read(text)
    if len(found) == 1 and isinstance(found[0], Period) and found[0].month:
        return _day(found[0].month, found[0].day or day)
    return None


def _day(month: int, day: int) -> Decimal:
    return Decimal(month * _DAYS_A_MONTH + day)
