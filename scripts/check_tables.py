"""Checks the documents of `data/tables` and their questions against the tables: `check_tables.py [FOLDER]`."""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations
from pathlib import Path
from typing import Any

TABLES = Path(__file__).parent.parent / "data" / "tables"
PARTS = ("train", "kept")
_NAMING = 3
"""Columns by which a row may be called."""
_UNITS = re.compile(r"^(?:[€£$]|in )\s*|\s*(?:€|%|[a-zA-Z/]{1,20})$")
_MOST_TIMES = 60
"""How often a cell is taken at the most."""
Cells = list[list[str]]
Row = dict[str, Any]


def problems(root: Path) -> Iterator[str]:
    """What is wrong in the documents to train on and those that are kept, a sentence each."""
    names: list[set[str]] = []
    for part in PARTS:
        documents = {path.stem: path.read_text("utf-8") for path in (root / part / "docs").glob("*.md")}
        rows = [json.loads(line) for line in (root / part / "questions.jsonl").read_text("utf-8").splitlines()]
        names.append(set(documents))
        for name in documents.keys() - {row["doc"] for row in rows}:
            yield f"No question is asked of {name}."
        for row in rows:
            if row["doc"] not in documents:
                yield f"{row['id']}: there is no document {row['doc']}."
            elif not _holds(row, documents[row["doc"]]):
                yield f"{row['id']}: the document does not bear out {row['must']}."
    for name in names[0] & names[1]:
        yield f"{name} is both to train on and kept."


def _holds(row: Row, text: str) -> bool:
    """Whether what an answer must say is in the document or comes from its table by the kind of sum that is asked."""
    check = _CHECKS.get(row["type"])
    if check is None:
        return row["type"] == "unanswerable" and not row["must"]
    return bool(row["must"]) and check(row, _cells(text), text)


def _stands_in_rows(row: Row, cells: Cells, _: str) -> bool:
    """Each thing that must and must not be named names rows, and no row is named by both."""
    named = [_rows_with(one, cells) for one in row["must"]]
    others = [_rows_with(one, cells) for one in row["must_not"]]
    return all(named) and all(others) and not set().union(*named) & set().union(set(), *others)


def _adds_up(row: Row, cells: Cells, _: str) -> bool:
    """The number is the sum of a column, of all rows or some that stand together or share a cell, or of two cells."""
    wanted = _wanted(row)
    if any(sum(numbers) in wanted for numbers in _columns(cells)):
        return True
    lines = [_numbers(line) for line in (*cells[1:], *zip(*cells, strict=True))]
    runs = (line[begin:end] for line in lines for begin in range(len(line)) for end in range(begin + 2, len(line) + 1))
    return any(sum(run) in wanted for run in runs) or any(
        one + other in wanted for line in lines for one, other in combinations(line, 2)
    )


def _differs(row: Row, cells: Cells, _: str) -> bool:
    pairs = [
        pair for line in (*cells, *map(list, zip(*cells, strict=True))) for pair in combinations(_numbers(line), 2)
    ]
    return any(abs(one - other) in _wanted(row) for one, other in pairs)


def _counts(row: Row, cells: Cells, _: str) -> bool:
    return any(number <= len(cells) for number in _wanted(row)) or _adds_up(row, cells, "")


def _stands_in_one_row(row: Row, cells: Cells, _: str) -> bool:
    """All that must be said stands in the cells of one row."""
    wanted = [[one.casefold() for one in must.split("|")] for must in row["must"]]
    said = [" ".join(line).casefold() for line in (*cells[1:], *map(list, zip(*cells, strict=True)))]
    return any(all(any(one in text for one in alternatives) for alternatives in wanted) for text in said)


def _multiplies(row: Row, cells: Cells, text: str) -> bool:
    """The number is a cell of a column times a whole number, two or three such products added up, or a percentage."""
    wanted = _wanted(row)
    shares = [number for line in cells[1:] for number in _numbers(line) if number]
    if "%" in text and any(100 * end % share == 0 for end in wanted for share in shares):
        return True
    columns = [set(_numbers(column)) for column in zip(*cells[1:], strict=True)]
    products = [{n * number for number in numbers if number > 0 for n in range(1, _MOST_TIMES)} for numbers in columns]
    return any(
        end in own or any(end - one in own or _is_sum(end - one, own) for one in own if one < end)
        for own in products
        for end in wanted
    )


def _is_sum(whole: Decimal, products: set[Decimal]) -> bool:
    return any(whole - one in products for one in products if one < whole)


def _is_read(row: Row, _: Cells, text: str) -> bool:
    return all(any(one.casefold() in text.casefold() for one in must.split("|")) for must in row["must"])


_CHECKS: dict[str, Callable[[Row, Cells, str], bool]] = {
    "which": _stands_in_rows,
    "list": _stands_in_rows,
    "total": _adds_up,
    "compare": _differs,
    "how_many": _counts,
    "lookup": _is_read,
    "band": _stands_in_one_row,
    "times": _multiplies,
}


def _cells(text: str) -> Cells:
    """The rows of the table, the header first."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    return [row for row in rows if not all(set(cell) <= set("-: ") for cell in row)]


def _rows_with(wanted: str, cells: Cells) -> set[int]:
    """The rows that one of the alternatives names, by their first cell or else one of the next; else the columns."""
    form = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, wanted.split('|')))})(?!\w)", re.IGNORECASE)
    for column in range(_NAMING):
        if rows := {place for place, row in enumerate(cells[1:], 1) if form.search(row[column])}:
            return rows
    return {-place for place, cell in enumerate(cells[0]) if form.search(cell)}


def _columns(cells: Cells) -> Iterator[list[Decimal]]:
    """The numbers of each column, of all rows and of those that share a cell."""
    rows = cells[1:]
    shared = {(place, cell) for row in rows for place, cell in enumerate(row)}
    groups = [rows, *([row for row in rows if row[place] == cell] for place, cell in shared)]
    for group in groups:
        for column in zip(*group, strict=True):
            yield _numbers(column)


def _numbers(cells: Sequence[str]) -> list[Decimal]:
    return [number for cell in cells if (number := _number(cell)) is not None]


def _number(cell: str) -> Decimal | None:
    try:
        return Decimal(_UNITS.sub("", cell).replace(",", ""))
    except InvalidOperation:
        return None


def _wanted(row: Row) -> set[Decimal]:
    return set(_numbers([one for must in row["must"] for one in must.split("|")]))


def main() -> None:
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else TABLES))
    print(f"{len(found)} problems", *found[:40], sep="\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
