"""The catalogue of line items and measures, `catalogue.toml`: their names, and the formulas of measures."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Literal, TypeVar

from docmind.skills.finance.phrases import terms


class Sign(StrEnum):
    """What stands between two operands."""

    PLUS = "+"
    LESS = "-"
    TIMES = "*"
    OVER = "/"


@dataclass(frozen=True, slots=True)
class Term:
    """An item or a measure by its name."""

    name: str
    averaged: bool = False
    """Whether the mean of its opening and its closing balance is meant."""
    optional: bool = False
    """Whether it counts as nothing where no report states it."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two formulas and what is done with them."""

    sign: Sign
    left: "Formula"
    right: "Formula"


Formula = Term | Joined
_TOKEN = re.compile(r"average\(([^()]{1,120}+)\)|([()])|(?<=\s)([-+*/])(?=\s)")
_DEEPEST = 8
"""Brackets within brackets, and operands in a row, that a formula may have."""


class NoFormula(ValueError):
    """A text that is no formula."""


def parse(text: str) -> Formula:
    """The tree of a formula; a text without a sign is one term. Raises `NoFormula` on anything else."""
    tokens = list(_tokens(text))
    formula, at = _sum(tokens, 0, 0)
    if at != len(tokens):
        raise NoFormula(text)
    return formula


def terms_of(formula: Formula) -> list[Term]:
    """The terms from left to right."""
    return [formula] if isinstance(formula, Term) else [*terms_of(formula.left), *terms_of(formula.right)]


def _tokens(text: str) -> Iterator[Term | str]:
    at = 0
    for found in _TOKEN.finditer(text):
        yield from _named(text[at : found.start()])
        yield Term(found[1].strip(), averaged=True) if found[1] else found[2] or found[3]
        at = found.end()
    yield from _named(text[at:])


def _named(text: str) -> Iterator[Term]:
    name = text.strip(" ,;.")
    if name:
        yield Term(name.removesuffix("?").strip(), optional=name.endswith("?"))


def _sum(tokens: list[Term | str], at: int, depth: int) -> tuple[Formula, int]:
    left, at = _product(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("+", "-"):
        right, after = _product(tokens, at + 1, depth)
        left, at = Joined(Sign(str(tokens[at])), left, right), after
    return left, at


def _product(tokens: list[Term | str], at: int, depth: int) -> tuple[Formula, int]:
    left, at = _factor(tokens, at, depth)
    while at < len(tokens) and tokens[at] in ("*", "/"):
        right, after = _factor(tokens, at + 1, depth)
        left, at = Joined(Sign(str(tokens[at])), left, right), after
    return left, at


def _factor(tokens: list[Term | str], at: int, depth: int) -> tuple[Formula, int]:
    if at >= len(tokens) or depth > _DEEPEST:
        raise NoFormula("an operand is missing")
    next_one = tokens[at]
    if isinstance(next_one, Term):
        return next_one, at + 1
    if next_one != "(":
        raise NoFormula(next_one)
    inner, after = _sum(tokens, at + 1, depth + 1)
    if after >= len(tokens) or tokens[after] != ")":
        raise NoFormula("a bracket is not closed")
    return inner, after + 1


Statement = Literal["income", "balance", "cash", ""]
Unit = Literal["", "percent", "times", "days", "each"]
Entry = TypeVar("Entry", "Item", "Measure")
Words = tuple[str, ...]
_TOTAL = terms("total")
_TITLES: Mapping[Statement, tuple[frozenset[str], ...]] = {
    "income": tuple(
        frozenset(terms(title))
        for title in ("statements of operations", "statements of income", "statements of earnings", "income statement")
    ),
    "balance": tuple(frozenset(terms(title)) for title in ("balance sheet", "statement of financial position")),
    "cash": (frozenset(terms("cash flows")),),
}
"""The words in the heading of a statement."""
_SEARCHED: Mapping[Statement, str] = {
    "income": "consolidated statements of income operations",
    "balance": "consolidated balance sheets",
    "cash": "consolidated statements of cash flows",
}


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a statement."""

    name: str
    names: tuple[str, ...]
    """All that it goes by, its own name first."""
    statement: Statement = ""
    paid: bool = False
    """Whether it is a cost or a payment, whose size is meant whether it is printed in brackets or not."""

    def stands_in(self, heading: frozenset[str]) -> bool:
        """Whether the words of a table's heading are those of its statement."""
        return any(title <= heading for title in _TITLES.get(self.statement, ()))


@dataclass(frozen=True, slots=True)
class Measure:
    """What reports may leave to their readers to calculate."""

    name: str
    names: tuple[str, ...]
    formula: Formula
    unit: Unit = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Items and measures by the words of their names."""

    items: Mapping[Words, Item]
    measures: Mapping[Words, Measure]

    @classmethod
    @cache
    def shipped(cls) -> "Catalogue":
        table = tomllib.loads(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
        items = [
            Item(name, (name, *entry["names"]), entry.get("statement", ""), entry.get("paid", False))
            for name, entry in table["items"].items()
        ]
        measures = [
            Measure(name, (name, *entry["names"]), parse(entry["formula"]), entry.get("unit", ""))
            for name, entry in table["measures"].items()
        ]
        return cls(_by_words(items), _by_words(measures))


def metrics_in(words: Words) -> dict[str, Words]:
    """The items named among some terms, each with those that name it; a longer name hides the shorter ones in it."""
    known = Catalogue.shipped().items
    found: dict[str, Words] = {}
    for name in _names_in(words, known):
        found[known[name].name] = found.get(known[name].name, ()) + name
    return found


def item_called(phrase: str) -> Item | None:
    """The item that a phrase is a name of, said to be the total or not."""
    known, words = Catalogue.shipped().items, terms(phrase)
    return known.get(words) or (known.get(words[1:]) if words[:1] == _TOTAL else None)


def name_said(text: str, item: str) -> str:
    """The item by the name that a text uses for it, which a row may have too."""
    names = sorted(names_of(item), key=len, reverse=True)
    found = (re.search(rf"\b(?:total )?{re.escape(name)}\b", text, re.IGNORECASE) for name in names)
    return next((one[0] for one in found if one is not None), item)


def names_of(metric: str) -> tuple[str, ...]:
    """All names of an item, for searching with; of what is none, its own."""
    item = item_called(metric)
    return item.names if item is not None else (metric,)


def title_of(metric: str) -> str:
    """What the statement is called that an item stands in."""
    item = item_called(metric)
    return _SEARCHED.get(item.statement, "") if item is not None else ""


def measure_called(phrase: str) -> Measure | None:
    """The measure that a phrase is a name of."""
    return Catalogue.shipped().measures.get(terms(phrase))


def measure_in(text: str) -> Measure | None:
    """The measure that a text names; of several the one with the longest name."""
    known = Catalogue.shipped().measures
    found = _names_in(terms(text), known)
    return known[max(found, key=len)] if found else None


def parts_of(measure: Measure) -> list[str]:
    """The items that a measure takes in the end, through the measures that it is made of."""
    found: list[str] = []
    for term in terms_of(measure.formula):
        inner = measure_called(term.name)
        found += parts_of(inner) if inner is not None else [term.name]
    return list(dict.fromkeys(found))


def parts_in(text: str) -> list[str]:
    """The items that the measure takes that a text names; nothing where it names none."""
    measure = measure_in(text)
    return parts_of(measure) if measure is not None else []


def _by_words(entries: Iterable[Entry]) -> dict[Words, Entry]:
    found: dict[Words, Entry] = {}
    for entry in entries:
        for name in entry.names:
            found.setdefault(terms(name), entry)
    return found


def _names_in(words: Sequence[str], known: Mapping[Words, object]) -> list[Words]:
    """The known names among some words from left to right, the longest at each place."""
    longest, found, at = max(map(len, known)), [], 0
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 0, -1)
        name = next((tuple(words[at : at + n]) for n in lengths if tuple(words[at : at + n]) in known), ())
        if name:
            found.append(name)
        at += len(name) or 1
    return found
