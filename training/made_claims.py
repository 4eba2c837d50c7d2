"""Pairs of claims made by rule from authored documents: what a table says, and a sentence with one thing changed."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

import numpy as np

from docmind.bench.authored import Part
from docmind.domain.documents import Span
from docmind.quality.excerpts import evidence_window
from training.authored import Field, differing_words, marked
from training.claims import ASIDE, is_claim
from training.passages import AuthoredDocument, Place
from training.perturb import Chance, change, names_in
from training.rows import LABELS, JudgeGroup, JudgeItem

A_TABLE, A_DOCUMENT = 12, 8
"""Pairs of claims at most."""
_LIMITS = (600, 900, 1100)
_QUANTITY = re.compile(r"(\D{0,12}?)(-?\d{1,3}(?:,\d{3})+|-?\d+)(\.\d+)?((?:\s?[^\d\s:/–-]\D{0,14})?)")
_WHOLE = re.compile(r"\b(?:totals?|all|sum|average|mean|together|overall|median)\b", re.IGNORECASE)
_CELL = (
    "For {row}, {column} is {cell}.", "{column} is {cell} for {row}.", "{row}: {column} {cell}.",
    "The table gives {cell} as {column} for {row}.", "Under {column}, {row} has {cell}.",
)  # fmt: skip
_MORE = ("{column} is higher for {one} than for {other}.", "{one} is ahead of {other} in {column}.")
_LESS = ("{column} is lower for {other} than for {one}.", "{other} is behind {one} in {column}.")
_MOST = ("{one} has the highest figure for {column}.", "No other row has a higher {column} than {one}.")
_LEAST = ("{one} has the lowest figure for {column}.", "No other row has a lower {column} than {one}.")
_APART = ("{column} is {gap} more for {one} than for {other}.", "In {column}, {one} and {other} are {gap} apart.")
_BOTH = ("{one} and {other} together have {gap} as {column}.", "{column} adds up to {gap} for {one} and {other}.")

Pair = tuple[str, str, tuple[Place, ...]]
"""A true claim, a false one, and what decides."""


@dataclass(frozen=True)
class _Quantity:
    before: str
    number: Decimal
    after: str

    def like(self, other: "_Quantity") -> bool:
        return (self.before, self.after) == (other.before, other.after)

    def worded(self, number: Decimal) -> str:
        after = " percentage points" if self.after.strip() == "%" else self.after
        return f"{self.before}{number:,}{after}"


@dataclass(frozen=True)
class _Row:
    name: str
    cells: dict[str, str]
    place: Place

    def quantity(self, column: str) -> _Quantity | None:
        found = _QUANTITY.fullmatch(self.cells.get(column, ""))
        if found is None:
            return None
        try:
            number = Decimal(found[2].replace(",", "") + (found[3] or ""))
        except InvalidOperation:
            return None
        return _Quantity(found[1], number, found[4])


def made_groups(fields: Sequence[Field], parts: Sequence[Part], seed: int) -> Iterator[JudgeGroup]:
    """Each pair once, beside evidence as the product chooses it."""
    chance, known = np.random.default_rng(seed), set[tuple[str, str]]()
    for field in fields:
        for document in field.documents.values():
            if field.folder.part(document.name) not in parts:
                continue
            for true, false, gold in (*of_tables(document, chance), *_of_sentences(document, chance)):
                if true != false and (true, false) not in known:
                    known.add((true, false))
                    yield group_of(f"made-{len(known)}", document, true, false, gold, chance)


def group_of(
    name: str, document: AuthoredDocument, true: str, false: str, gold: Sequence[Place], chance: Chance
) -> JudgeGroup:
    """Both claims beside the excerpt that the product would choose."""
    limit = int(chance.choice(_LIMITS))
    items = []
    for text, label, doubts in ((true, "supported", ()), (false, "contradicted", differing_words(false, true))):
        excerpt = evidence_window(text, document.passages, limit=limit)
        items.append(JudgeItem(text, excerpt.text, LABELS.index(label), doubts, marked(excerpt, document, gold)))
    return JudgeGroup(name, tuple(items))


def of_tables(document: AuthoredDocument, chance: Chance, most: int = A_TABLE) -> Iterator[Pair]:
    """At most so many of each table: cells, comparisons, sums and differences."""
    for number, passage in enumerate(document.passages):
        rows = _rows(document, number) if passage.kind == "table" else []
        columns = list(dict.fromkeys(column for row in rows for column in row.cells))
        if len(rows) < 2 or len({row.name for row in rows}) < len(rows):
            continue
        made = [make(rows, column, chance) for column in columns for make in (_cell, _cell, *_COMPARISONS)]
        pairs = [pair for pair in made if pair is not None]
        yield from (pairs[int(place)] for place in chance.permutation(len(pairs))[:most])


def _rows(document: AuthoredDocument, number: int) -> list[_Row]:
    rows = []
    for sentence in document.sentences[number]:
        name, *cells = (part.strip() for part in sentence.text.split(" | "))
        named = dict(cell.split(": ", 1) for cell in cells if ": " in cell)
        if named and len(named) == len(cells) and 1 < len(name) < 60:
            rows.append(_Row(name, named, Place(number, Span(sentence.span.start, sentence.span.end))))
    return rows


def _cell(rows: Sequence[_Row], column: str, chance: Chance) -> Pair | None:
    """What stands in a cell, and what stands in one that it could be mistaken for."""
    row = rows[int(chance.integers(len(rows)))]
    cell, quantity = row.cells.get(column, ""), row.quantity(column)
    others = [other.cells[column] for other in rows if other is not row and column in other.cells]
    others += [
        row.cells[name]
        for name in row.cells
        if quantity is not None and (one := row.quantity(name)) is not None and one.like(quantity)
    ]
    others = [other for other in others if len(other) > 1 and other not in cell and cell not in other]
    if not 1 < len(cell) < 60 or not others:
        return None
    shape, other = str(chance.choice(_CELL)), others[int(chance.integers(len(others)))]
    true, false = (shape.format(row=row.name, column=column, cell=one) for one in (cell, other))
    return true, false, (row.place,)


def _two(rows: Sequence[_Row], column: str, chance: Chance) -> tuple[_Row, _Row, _Quantity, _Quantity] | None:
    """Two rows with comparable figures, the larger one first."""
    held = [(row, found) for row in rows if not _WHOLE.search(row.name) and (found := row.quantity(column)) is not None]
    if len(held) < 2:
        return None
    one, other = (held[int(place)] for place in chance.permutation(len(held))[:2])
    if not one[1].like(other[1]) or one[1].number == other[1].number:
        return None
    larger, smaller = (one, other) if one[1].number > other[1].number else (other, one)
    return larger[0], smaller[0], larger[1], smaller[1]


def _compared(rows: Sequence[_Row], column: str, chance: Chance) -> Pair | None:
    found = _two(rows, column, chance)
    if found is None:
        return None
    shape = str(chance.choice((*_MORE, *_LESS)))
    true = shape.format(column=column, one=found[0].name, other=found[1].name)
    return true, shape.format(column=column, one=found[1].name, other=found[0].name), (found[0].place, found[1].place)


def _superlative(rows: Sequence[_Row], column: str, chance: Chance) -> Pair | None:
    held = [(found, row) for row in rows if not _WHOLE.search(row.name) and (found := row.quantity(column)) is not None]
    if len(held) < 3 or len(held) < len(rows) - 1 or not all(found.like(held[0][0]) for found, _ in held):
        return None
    order = sorted(held, key=lambda one: one[0].number, reverse=bool(chance.random() < 0.5))
    if order[0][0].number == order[1][0].number:
        return None
    shape = str(chance.choice(_MOST if order[0][0].number > order[1][0].number else _LEAST))
    other = order[int(chance.integers(1, len(order)))][1]
    true, false = (shape.format(column=column, one=row.name) for row in (order[0][1], other))
    return true, false, (order[0][1].place, other.place)


def _calculated(rows: Sequence[_Row], column: str, chance: Chance) -> Pair | None:
    """The gap between two figures, or their sum; the false one is off by a digit or is the other of the two."""
    found = _two(rows, column, chance)
    if found is None:
        return None
    one, other, more, less = found
    gap, both = more.number - less.number, more.number + less.number
    adds = more.after.strip() != "%" and chance.random() < 0.4
    right, mistaken = (both, gap) if adds else (gap, both)
    shape = str(chance.choice(_BOTH if adds else _APART))
    step = Decimal(1).scaleb(max(right.adjusted() - int(chance.integers(2)), int(right.as_tuple().exponent)))
    wrong = mistaken if chance.random() < 0.2 else right + step * int(chance.choice((-2, -1, 1, 2, 3)))
    if wrong <= 0:
        wrong = right + step
    true, false = (
        shape.format(column=column, one=one.name, other=other.name, gap=more.worded(value)) for value in (right, wrong)
    )
    return true, false, (one.place, other.place)


_COMPARISONS: tuple[Callable[[Sequence[_Row], str, Chance], Pair | None], ...] = (_compared, _superlative, _calculated)


def _of_sentences(document: AuthoredDocument, chance: Chance) -> Iterator[Pair]:
    """A sentence, shortened where it has an aside, and the same with one thing changed, often to a name nearby."""
    held = [
        (Place(number, Span(sentence.span.start, sentence.span.end)), ASIDE.sub("", " ".join(sentence.text.split())))
        for number, passage in enumerate(document.passages)
        if passage.kind != "table"
        for sentence in document.sentences[number]
    ]
    usable = [(place, text) for place, text in held if is_claim(text)]
    for at in chance.permutation(len(usable))[:A_DOCUMENT]:
        place, text = usable[int(at)]
        changed = change(text, names_in(document.passages[place.passage].text), chance)
        if changed is not None:
            yield text, changed.text, (place,)
