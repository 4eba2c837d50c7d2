"""Formulas over line items: “(cash + receivables) / current liabilities”, parsed into a tree."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


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
