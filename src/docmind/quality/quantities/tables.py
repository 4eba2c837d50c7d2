"""Figures from table rows that name their columns: "Net sales: Products | June 25, 2022: $63,355"."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.quantities.columns import Kind, kind_of, place
from docmind.quality.quantities.figure import Aspect, Figure
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.quantity import Quantity
from docmind.quality.quantities.quantity_parser import Context, read
from docmind.quality.quantities.unit_terms import NO_TERMS, Terms, read_terms

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
