"""Figures from table rows that name their columns: "Net sales: Products | June 25, 2022: $63,355"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum, auto
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.quantities.parser import Context, read
from docmind.quality.quantities.quantity import Aspect, Figure, Period, Quantity
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.quantities.unit_terms import NO_TERMS, Terms, read_terms
from docmind.quality.quantities.units import COUNTED, PERCENT, UNITS

_ONE = Decimal(1)
MOST_SHARES = Decimal(10) ** 12
"""No company has more; a count that would pass it was not in the table's scale."""
_SHARE_STARTS = ("number of shares", "total number of shares", "shares used", "shares outstanding", "denominator")
_WEIGHTED = ("weighted average", "weighted-average", "basic weighted", "diluted weighted")
CENT = Decimal("0.01")
_PER = re.compile(r"\bper (?!cent\b|annum\b|year\b|day\b|share\b|common\b|ordinary\b|diluted\b|basic\b)([a-z]{3,20})\b")
_LASTING = ("lease term", "remaining term", "contractual term", "useful life", "useful lives", "average life")
_COUNTS = vocabulary(
    "employees customers stores users patients subscribers members sites countries vehicles headcount heads"
)
_STAFF = ("full-time equivalent", "full time equivalent", "headcount")


class Kind(Enum):
    """What the numbers of a row or column are."""

    MONEY = auto()
    SHARES = auto()
    PER_SHARE = auto()
    PER_UNIT = auto()
    """An amount for one of something: revenue per package."""
    TIME = auto()
    """How long something lasts: the remaining lease term."""
    COUNT = auto()
    PERCENT = auto()


def kind_of(label: str, header: str) -> Kind:
    """Told by the words; what nothing else is said of is money, or whatever the table is in."""
    row, column = _without_asides(label), _without_asides(header)
    both = f"{row} {column}"
    if _says_percent(both):
        return Kind.PERCENT
    if _are_shares(row) or column.startswith(_SHARE_STARTS) or column.split(" ")[-1] == "shares":
        return Kind.SHARES
    if _is_per_share(both):
        return Kind.PER_SHARE
    if _per_unit(row):
        return Kind.PER_UNIT
    parts = row.split(": ")
    if any(part.rstrip(" )").endswith(_LASTING) for part in parts):
        return Kind.TIME
    counted = any(part.startswith(("number of", "total number of")) for part in (*parts, column))
    # What a label says behind a comma is what its figures count: staff, heads on payroll.
    first = [part.split(" ", 1)[0] for part in (parts[-1], row.rpartition(", ")[2])]
    counted = counted or not _COUNTS.isdisjoint(first) or row.removesuffix("s").endswith(_STAFF)
    return Kind.COUNT if counted else Kind.MONEY


def place(quantity: Quantity, label: str, header: str, terms: Terms) -> tuple[Quantity, Decimal]:
    """The quantity with the unit, scale and currency that hold for its cell, and that scale."""
    if quantity.scaled or quantity.unit not in ("", "money") or quantity.counted:
        return quantity, _ONE
    own = _stated(label, header)
    kind = kind_of(label, header)
    if quantity.unit == "money" and kind not in (Kind.PER_SHARE, Kind.PER_UNIT):
        # Cents in a table of millions that takes out amounts per share are such an amount.
        cents = terms.per_share and quantity.step == CENT and (terms.scale or _ONE) > 1
        kind = Kind.PER_SHARE if cents else Kind.MONEY
    if own.unit is not None or kind is Kind.PERCENT or (terms.unit is not None and kind is Kind.MONEY):
        unit = own.unit or (PERCENT if kind is Kind.PERCENT else terms.unit) or PERCENT
        return replace(quantity.times(unit.factor), unit=unit.base, scaled=False), _ONE
    currency = quantity.currency or own.currency or terms.currency
    if kind in (Kind.PER_SHARE, Kind.PER_UNIT):
        factor = UNITS["pence"].factor if _in_pence(f"{label} {header}") else _ONE
        per = "share" if kind is Kind.PER_SHARE else _per_unit(label.lower())
        return _money(quantity, factor, currency, per), _ONE
    if (counted := _counted(quantity, kind, label, own, terms)) is not None:
        return counted
    scale = own.scale or terms.scale or _ONE
    return (quantity, _ONE) if kind is Kind.TIME else (_money(quantity, scale, currency), scale)


def _counted(quantity: Quantity, kind: Kind, label: str, own: Terms, terms: Terms) -> tuple[Quantity, Decimal] | None:
    """A number of things, with what they are, and its scale; None for what is no such number."""
    if kind is Kind.SHARES:
        scale = own.scale or terms.share_scale or _scale_of_shares(quantity, terms)
        return replace(quantity.times(scale), counted="share"), scale
    if kind is Kind.COUNT or (terms.excepts(label) and own == Terms()):
        scale = own.scale or _ONE
        return replace(quantity.times(scale), counted=_thing(label)), scale
    measured = own.measured or (terms.measured if own == Terms() else None)
    if measured is None or quantity.unit == "money":
        return None
    scale = own.scale or (_ONE if own.measured else terms.scale) or _ONE
    return replace(quantity.times(scale), counted=measured), scale


def _money(quantity: Quantity, scale: Decimal, currency: str | None, per: str | None = None) -> Quantity:
    return replace(quantity.times(scale), currency=currency, unit="money" if currency else "", per=per)


def _scale_of_shares(quantity: Quantity, terms: Terms) -> Decimal:
    scale = terms.scale or _ONE
    return scale if quantity.value * scale < MOST_SHARES else _ONE


def _says_percent(text: str) -> bool:
    """% of revenue and percentage change say it of the figures; "a rate of 25.8%" and "except percentages" do not."""
    for sign in ("%", "percent"):
        at = text.find(sign)
        before = text[:at].rstrip(" )")
        if at >= 0 and not before[-1:].isdigit() and not before.endswith("except"):
            return True
    return False


def _per_unit(row: str) -> str:
    """What a row is counted by: package in "revenue per package"; nothing for shares, per cent and per year."""
    found = _PER.search(row.rpartition(": ")[2])
    return found[1] if found is not None else ""


def _is_per_share(text: str) -> bool:
    """Per share, per-share, per diluted share, per common share; pence a share."""
    words = text.replace("-", " ").split()
    return _in_pence(text) or any("share" in words[at + 1 : at + 3] for at, word in enumerate(words) if word == "per")


def _in_pence(text: str) -> bool:
    return any(f"{coin} a share" in text.lower() for coin in ("pence", "cents"))


def _are_shares(row: str) -> bool:
    """Whether a row counts shares; "shares repurchased" is as often what was paid for them."""
    if any(phrase in row for phrase in ("authorized", "par value", "price", "fair value")):
        return False
    return any(
        part == "shares"
        or part.startswith(_SHARE_STARTS)
        or part.endswith("shares outstanding")
        or (part.startswith(_WEIGHTED) and "shares" in part)
        or "dilutive" in part
        for part in row.split(": ")
    )


def _stated(label: str, header: str) -> Terms:
    """What the brackets of a label or header say, or its end: Earnings per share (EUR); Beer sold, hl."""
    for text in (label, header):
        for mark in "(,":
            start = text.rfind(mark)
            terms = read_terms(text[start:]) if start >= 0 else Terms()
            if terms != Terms() and (mark == "(" or terms.measured):
                return terms
    return Terms()


def _thing(label: str) -> str | None:
    return next((COUNTED[word] for word in label.lower().split() if word in COUNTED), None)


def _without_asides(text: str) -> str:
    """Lower case, and without the brackets that hold numbers: they tell of another figure."""
    kept: list[str] = []
    for piece in text.lower().split("("):
        inside, closing, after = piece.partition(")")
        aside = closing and any(character.isdigit() for character in inside)
        kept.append(after if aside else piece)
    return " ".join("(".join(kept).split())


_CELL = " | "
_NAMED = ": "
_ACCOUNTING = Context(accounting=True)
_FOOTNOTE = frozenset("*()0123456789 ")
_CONTENTS = ("table of contents", "item ", "part ", "exhibit ", "note ")
"""How a table of contents and its rows begin, whose numbers are pages."""


class _Cell(NamedTuple):
    header: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    cells: tuple[_Cell, ...]


def read_table(
    rows: str, caption: str = "", *, offset: int = 0, defaults: Terms = NO_TERMS, source: str = ""
) -> list[Figure]:
    """Figures of a table's rows, one row a line; spans count from `offset`.

    The caption says scale and currency, and what they do not hold for; `defaults` is what the document says for all
    its tables. A currency sign in the first cell of a column stands for the cells below it.
    """
    terms = _over(read_terms(caption), defaults)
    of_caption = _periods(caption)
    figures = []
    for row in _sectioned(_rows(rows, offset)):
        of_label = _period_of_label(row.label)
        for cell in row.cells:
            quantity = None if _is_page(caption, row.label, cell.header) else _read_cell(cell)
            if quantity is not None:
                placed, scale = place(quantity, row.label, cell.header, terms)
                period = _only(_periods(cell.header)) or of_label or _only(of_caption)
                aspect = Aspect.CHANGE if "change" in cell.header.lower() else Aspect.LEVEL
                figures.append(Figure(row.label, placed, cell.header, period, scale, source, aspect))
    return _in_one_currency(figures)


def _over(stated: Terms, defaults: Terms) -> Terms:
    """What the caption states; where it states neither scale, currency nor unit, what the document does."""
    if stated.measured and stated.scale is None:
        return stated
    if stated.scale is None and stated.currency is None and stated.unit is None:
        return replace(defaults, exceptions=defaults.exceptions + stated.exceptions)
    return stated if stated.currency else replace(stated, currency=defaults.currency)


def _rows(text: str, offset: int) -> Iterator[_Row]:
    for line in text.split("\n"):
        label, cells, start = "", [], offset
        for position, part in enumerate(line.split(_CELL)):
            header, named, value = part.rpartition(_NAMED)
            at = start + len(header) + len(named)
            if position == 0 and not (named and _read_cell(_Cell("", value, at))):
                label = part.strip().removesuffix(":")
            else:
                cells.append(_Cell(header.strip(), value, at))
            start += len(part) + len(_CELL)
        yield _Row(label, tuple(cells))
        offset += len(line) + 1


def _sectioned(rows: Iterator[_Row]) -> Iterator[_Row]:
    """Rows under a heading row carry it, up to the total that closes it; loaders have done so for most tables."""
    section = ""
    for row in rows:
        label = row.label
        if not row.cells:
            section = label if any(character.isalpha() for character in label) else section
            continue
        closes = label.lower().startswith("total")
        if section and not closes and _NAMED not in label and label:
            label = f"{section}{_NAMED}{label}"
        elif closes or _NAMED in label:
            section = ""
        yield replace(row, label=label)


def _read_cell(cell: _Cell) -> Quantity | None:
    """The quantity that fills a cell; a cell with words, two numbers, a year or a dash holds none."""
    text = cell.text.strip()
    mentions = read(text, _ACCOUNTING) if text else []
    if not mentions or not isinstance(mentions[0], Quantity) or mentions[0].unit == "ordinal":
        return None
    first = mentions[0]
    rest = text[first.span.end :]
    if first.span.start or len(rest) > 5 or not _FOOTNOTE.issuperset(rest):
        return None
    start = cell.start + len(cell.text) - len(cell.text.lstrip())
    return replace(first, span=Span(start, start + first.span.end))


def _periods(text: str) -> list[Period]:
    return [mention.key for mention in read(text) if isinstance(mention, Period)] if text else []


def _period_of_label(label: str) -> Period | None:
    """The period that a row is about, "Balance as of July 1, 2023", and not one it mentions: "Notes due 2030"."""
    found = [mention for mention in read(label) if isinstance(mention, Period)]
    if len(found) != 1 or 3 * len(found[0].text) < len(label.rpartition(_NAMED)[2]):
        return None
    return found[0].key


def _only(periods: list[Period]) -> Period | None:
    """The one period that is spoken of; two leave it open."""
    return periods[0] if len(set(periods)) == 1 else None


def _is_page(caption: str, label: str, header: str) -> bool:
    contents = any(text.lower().startswith(_CONTENTS) for text in (caption, label))
    return header.lower().startswith("page") or (not header and contents)


def _in_one_currency(figures: list[Figure]) -> list[Figure]:
    """Money of a column is in the one currency that some of its cells show."""
    shown: dict[str, set[str]] = {}
    for figure in figures:
        if figure.quantity.currency and figure.column:
            shown.setdefault(figure.column, set()).add(figure.quantity.currency)
    return [_in_currency(figure, shown.get(figure.column, set())) for figure in figures]


def _in_currency(figure: Figure, currencies: set[str]) -> Figure:
    quantity = figure.quantity
    monetary = kind_of(figure.label, figure.column) in (Kind.MONEY, Kind.PER_SHARE)
    if len(currencies) != 1 or quantity.unit or quantity.counted or not monetary:
        return figure
    return replace(figure, quantity=replace(quantity, unit="money", currency=next(iter(currencies))))
