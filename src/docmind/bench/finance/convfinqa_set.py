"""ConvFinQA: conversations on a page of an annual report, each turn with the calculation that answers it."""

import json
import re
from calendar import month_name
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from docmind.bench.finance.programs import outcome
from docmind.bench.finance.rendering import Grid, passages_of
from docmind.bench.workbench import Workbench
from docmind.domain.documents import Passage
from docmind.domain.errors import BenchError

_TWICE = re.compile(r"(-?\$?\s?\d[\d.,]*+\s?%?)\s?\(\s?-?\$?\s?\d[\d.,]*+\s?%?\s?\)")
_DASHES = re.compile(r"201[34]")
_QUOTES = re.compile(r"(?<=\w) ?2019(?=s\b)| ?201[cd](?=\W|[a-z])")
_APART = re.compile(r" (?=[,.;:)])|(?<=[$(]) (?=\S)")
"""Where the set has put blanks between words and signs."""
_MONTH = re.compile(r"\b(?:" + "|".join(name.lower() for name in month_name if name) + r")(?= \d)")
_SENTENCE = re.compile(r"(?<=\.\s)[a-z]")


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a conversation, and the number that answers it."""

    message: str
    wanted: Fraction


@dataclass(frozen=True, slots=True)
class Conversation:
    passages: tuple[Passage, ...]
    turns: tuple[Turn, ...]


def convfinqa(bench: Workbench) -> list[Conversation]:
    return list(_conversations(_records(bench)))


def grids(bench: Workbench) -> list[Grid]:
    """The tables alone, each once."""
    tables = dict.fromkeys(record["table"] for record in _records(bench))
    return [_grid(table) for table in tables]


def _records(bench: Workbench) -> list[Mapping[str, Any]]:
    path = bench.dataset("convfinqa") / "dev.json"
    if not path.is_file():
        raise BenchError(f"The file {path} is not there: unpack the set 'convfinqa' again.")
    records: list[Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return records


def _conversations(records: list[Mapping[str, Any]]) -> Iterator[Conversation]:
    for record in records:
        name, text = record["id"].replace("/", "-"), _printed(record["text"])
        passages = passages_of(name, [text], _grid(record["table"]))
        both = zip(record["questions"], record["programs"], strict=True)
        yield Conversation(tuple(passages), tuple(Turn(message, outcome(program)) for message, program in both))


def _grid(table: str) -> Grid:
    lines = [line for line in table.split("\n") if line.strip()]
    return [[_cell(cell, first=not at) for cell in line.split(" | ")] for at, line in enumerate(lines)]


def _cell(cell: str, *, first: bool) -> str:
    text = cell.strip()
    if not first and _DASHES.fullmatch(text):
        return "—"
    return "" if text == "-" else _printed(text)


def _printed(text: str) -> str:
    """As the report has it: the set writes numbers in brackets twice, and has lost quotes, dashes and capitals."""
    plain = _APART.sub("", _QUOTES.sub("'", _TWICE.sub(r"\1", text)))
    return _SENTENCE.sub(lambda first: first[0].upper(), _MONTH.sub(lambda month: month[0].capitalize(), plain))
