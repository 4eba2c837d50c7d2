"""Sentences that say how a number was worked out from a table: written in fixed forms, so that code can check them.

The 3 amounts add up to €4,600: 1,200 + 1,200 + 2,200 = 4,600.
The average of the 3 amounts is €1,533: (1,200 + 1,200 + 2,200) / 3 = 1,533.
It comes to €28: 2 × 8 + 3 × 4 = 28.
The 2 rows are: Deckhand; Bosun.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from docmind.quality.grounding.evidence import Evidence, EvidenceSentence
from docmind.quality.quantities import read_quantities
from docmind.quality.words import sequence, words

_SUM = re.compile(r"The (\d{1,3}) amounts add up to ([^:=]{1,60}): ([^=]{1,2000}) = ([^=]{1,40})")
_MEAN = re.compile(
    r"The average of the (\d{1,3}) amounts is ([^:=]{1,60}): \(([^=]{1,2000})\) / (\d{1,3}) = ([^=]{1,40})"
)
_DIFFERENCE = re.compile(r"The difference is ([^:=]{1,60}): ([^=−]{1,40}) − ([^=−]{1,40}) = ([^=]{1,40})")
_TIMES = re.compile(
    r"It comes to ([^:=]{1,60}): ((?:\d{1,4} × [^=+×]{1,40})(?: \+ \d{1,4} × [^=+×]{1,40}){0,9}) = ([^=]{1,40})"
)
_COUNT = re.compile(r"The (\d{1,3}) (?:rows are|row is): (.{1,4000})")
_ROUNDED = Decimal("0.006")
"""How far an average may be off, as a share, because it was rounded."""


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """A result that code has checked."""

    result: str
    formula: str
    sentences: tuple[EvidenceSentence, ...]
    """The rows it rests on."""


def write_sum(result: str, operands: Sequence[str]) -> str:
    return f"The {len(operands)} amounts add up to {result}: {' + '.join(operands)} = {_digits(result)}."


def write_mean(result: str, operands: Sequence[str]) -> str:
    terms = " + ".join(operands)
    return f"The average of the {len(operands)} amounts is {result}: ({terms}) / {len(operands)} = {_digits(result)}."


def write_difference(result: str, more: str, less: str) -> str:
    return f"The difference is {result}: {more} − {less} = {_digits(result)}."


def write_times(result: str, factors: Sequence[str], operands: Sequence[str]) -> str:
    terms = " + ".join(f"{factor} × {operand}" for factor, operand in zip(factors, operands, strict=True))
    return f"It comes to {result}: {terms} = {_digits(result)}."


def write_count(names: Sequence[str]) -> str:
    return f"The {len(names)} rows are: {'; '.join(names)}." if len(names) > 1 else f"The 1 row is: {names[0]}."


def check_worked_out(claim: str, evidence: Evidence) -> WorkedOut | None:
    """What a claim of one of these forms comes to, if it is right and its numbers stand in the evidence."""
    text = " ".join(claim.split())
    if found := _SUM.fullmatch(text):
        return _added(int(found[1]), found[2], found[3].split(" + "), found[4], evidence)
    if found := _MEAN.fullmatch(text):
        operands = found[3].split(" + ")
        return _averaged(operands, int(found[1]), int(found[4]), found[2], found[5], evidence)
    if found := _DIFFERENCE.fullmatch(text):
        return _subtracted(found[1], found[2], found[3], found[4], evidence)
    if found := _TIMES.fullmatch(text):
        return _multiplied(found[1], found[2].split(" + "), found[3], evidence)
    if found := _COUNT.fullmatch(text):
        return _counted(int(found[1]), found[2].removesuffix(".").split("; "), evidence)
    return None


def stated_result(claim: str) -> str:
    """The result that a sentence of one of these forms gives, as it is written; empty for any other sentence."""
    text = " ".join(claim.split())
    for form, group in ((_SUM, 2), (_MEAN, 2), (_DIFFERENCE, 1), (_TIMES, 1), (_COUNT, 1)):
        if found := form.fullmatch(text):
            return str(found[group])
    return ""


def _added(count: int, result: str, operands: Sequence[str], last: str, evidence: Evidence) -> WorkedOut | None:
    values, total = _values(operands), _value(result)
    if values is None or total is None or len(values) != count or total != _value(last) or sum(values) != total:
        return None
    return _found(result, f"{' + '.join(operands)} = {last.rstrip('.')}", operands, evidence)


def _averaged(
    operands: Sequence[str], count: int, divisor: int, result: str, last: str, evidence: Evidence
) -> WorkedOut | None:
    values, mean = _values(operands), _value(result)
    if values is None or mean is None or not len(values) == count == divisor or mean != _value(last):
        return None
    exact = sum(values, Decimal()) / count
    if abs(exact - mean) > _ROUNDED * abs(exact):
        return None
    return _found(result, f"({' + '.join(operands)}) / {count} = {last.rstrip('.')}", operands, evidence)


def _subtracted(result: str, more: str, less: str, last: str, evidence: Evidence) -> WorkedOut | None:
    values, difference = _values((more, less)), _value(result)
    if values is None or difference is None or difference != _value(last) or values[0] - values[1] != difference:
        return None
    return _found(result, f"{more} − {less} = {last.rstrip('.')}", (more, less), evidence)


def _multiplied(result: str, terms: Sequence[str], last: str, evidence: Evidence) -> WorkedOut | None:
    """How often a number counts was asked and stands in no row; the number itself must."""
    factors, operands = zip(*(term.split(" × ") for term in terms), strict=True)
    values, total = _values(operands), _value(result)
    if values is None or total is None or total != _value(last):
        return None
    if sum(Decimal(factor) * value for factor, value in zip(factors, values, strict=True)) != total:
        return None
    return _found(result, f"{' + '.join(terms)} = {last.rstrip('.')}", operands, evidence)


def _counted(count: int, names: Sequence[str], evidence: Evidence) -> WorkedOut | None:
    """Rows are counted by their names, each of which must be a cell of another row."""
    left = list(evidence.sentences)
    rows: list[EvidenceSentence] = []
    for name in names:
        row = next((one for one in left if _plain(name) in _cells(one)), None)
        if row is None:
            return None
        left.remove(row)
        rows.append(row)
    return WorkedOut(str(count), f"{count} rows", tuple(rows)) if len(rows) == count else None


def _found(result: str, formula: str, operands: Sequence[str], evidence: Evidence) -> WorkedOut | None:
    """The result with the rows that its operands stand in, if all of them stand somewhere."""
    keys = [word.key for operand in operands for word in words(operand) if word.is_number]
    if len(keys) != len(operands):
        return None
    rows: list[EvidenceSentence] = []
    for key in keys:
        having = [one for one in evidence.sentences if any(word.key == key for word in words(one.text))]
        if not having:
            return None
        rows.append(next((one for one in having if one not in rows), having[0]))
    return WorkedOut(result, formula, tuple(dict.fromkeys(rows)))


def _cells(row: EvidenceSentence) -> set[tuple[str, ...]]:
    parts = row.text.split(" | ")
    return {_plain(cell) for part in parts for cell in (part, part.partition(": ")[2])}


def _plain(text: str) -> tuple[str, ...]:
    return tuple(key for key, _ in sequence(text))


def _values(texts: Sequence[str]) -> list[Decimal] | None:
    values = [_value(text) for text in texts]
    return None if any(value is None for value in values) else [value for value in values if value is not None]


def _value(text: str) -> Decimal | None:
    """The digits of a number, whatever its unit; with a comma or a space between thousands."""
    found = read_quantities(_digits(text))
    return found[0].value if len(found) == 1 else None


def _digits(text: str) -> str:
    found = re.search(r"[-−]?\d(?:[\d.,'\u00a0]*\d)?", text)
    return found.group().replace("−", "-") if found else ""
