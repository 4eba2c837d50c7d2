"""Rows from questions on Wikipedia's tables: where the answer stands among the cells, and claims about the cells."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path

from docmind.domain.documents import Passage, Span
from training.claims import seeded
from training.made_claims import group_of, of_tables
from training.passages import AuthoredDocument, read_document
from training.perturb import Chance
from training.rows import JudgeGroup, ReadRow

FOLDER = Path("more") / "wikitable"
SOURCE = "wikitable"
_LONGEST = 1_400
"""Characters of the rows that are shown together."""
_LONGEST_COLUMN = 40
_CLAIMS_A_TABLE = 5
_UNANSWERED = 0.25

Lines = list[str]
"""The rows of a table as ingesting its file lays them out."""


def read_tables(data: Path) -> dict[str, Lines]:
    """Every table of the set, by the name that questions give it; none where the set does not lie in the folder."""
    root = data / FOLDER
    found = {str(path.relative_to(root)): _lines(path) for path in sorted(root.glob("csv/*/*.csv"))}
    return {name: lines for name, lines in found.items() if lines}


def table_questions(data: Path, tables: Mapping[str, Lines], seed: int) -> Iterator[ReadRow]:
    """Questions whose answer is a cell; some are asked of another table, which has none."""
    chance, names = seeded(seed, SOURCE, "questions"), list(tables)
    if not tables:
        return
    with (data / FOLDER / "training.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            question, table = row["utterance"], tables.get(row["context"], [])
            shown, start, answer = _asked(table, row["targetValue"], chance)
            if start < 0:
                continue
            yield ReadRow(question, shown, start, answer, SOURCE)
            other = tables[names[int(chance.integers(len(names)))]]
            if chance.random() < _UNANSWERED and other is not table:
                yield ReadRow(question, _some_rows(other, chance), -1, "", f"{SOURCE}_na")


def table_claims(tables: Mapping[str, Lines], seed: int) -> Iterator[JudgeGroup]:
    """Pairs of claims made by rule, as for the tables of the authored documents."""
    chance = seeded(seed, SOURCE, "claims")
    for name, lines in tables.items():
        text = _some_rows(lines, chance)
        document = AuthoredDocument(name, (Passage(f"{name}:0", name, 0, Span(0, len(text)), text, (), kind="table"),))
        for number, (true, false, gold) in enumerate(of_tables(document, chance, _CLAIMS_A_TABLE)):
            if true != false:
                yield group_of(f"{name}-{number}", document, true, false, gold, chance)


def _lines(path: Path) -> Lines:
    """Its rows; none where a column's name is so long that the table has a heading of several rows."""
    lines = [line for passage in read_document(path).passages for line in passage.text.splitlines() if " | " in line]
    columns = [cell.partition(": ")[0] for line in lines for cell in line.split(" | ")[1:]]
    return lines if len(lines) > 2 and max(map(len, columns)) <= _LONGEST_COLUMN else []


def _asked(lines: Lines, answer: str, chance: Chance) -> tuple[str, int, str]:
    """Rows of the table and the cell that says this; its place is -1 where none does, or more than two do.

    A number as short as a count is more likely counted than read.
    """
    if answer.isdigit() and len(answer) < 3:
        return "", -1, ""
    found = [(number, at) for number, line in enumerate(lines) for at in _cells(line, answer)]
    if not 1 <= len(found) <= 2:
        return "", -1, ""
    number, at = found[0]
    text, begin = _shown(lines, number, chance)
    return text, begin + at, text[begin + at : begin + at + len(answer)]


def _cells(line: str, answer: str) -> Iterator[int]:
    begin = 0
    for cell in line.split(" | "):
        said = cell.partition(": ")[2] or cell
        if said.casefold() == answer.casefold():
            yield begin + len(cell) - len(said)
        begin += len(cell) + len(" | ")


def _some_rows(lines: Lines, chance: Chance) -> str:
    return _shown(lines, int(chance.integers(len(lines))), chance)[0]


def _shown(lines: Lines, number: int, chance: Chance) -> tuple[str, int]:
    """As many neighbouring rows as there is room for, this one among them, and where it begins."""
    first, last, size = number, number, len(lines[number])
    while True:
        sides = [at for at in (first - 1, last + 1) if 0 <= at < len(lines) and size + len(lines[at]) < _LONGEST]
        if not sides:
            break
        at = sides[int(chance.integers(len(sides)))]
        first, last, size = min(first, at), max(last, at), size + 1 + len(lines[at])
    return "\n".join(lines[first : last + 1]), sum(len(line) + 1 for line in lines[first:number])
