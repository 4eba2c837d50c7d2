"""Formulas that a question writes out itself: “defined as A less B”, “if EBITDA is A plus B”, “(A - B) / C”."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docmind.skills.finance.catalogue import Catalogue, item_called, measure_called, metrics_in, name_said
from docmind.skills.finance.formula import Formula, Joined, NoFormula, Term, parse, terms_of
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.terms import terms

_NAME = r"(?P<name>[\w&'’ -]{2,60}?)"
_TEXT = r"(?P<text>(?:[^.?;]|\.(?=\w)){5,300}+)"
_WRITTEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bif {_NAME} (?:is|means|equals) (?P<text>.{{5,200}}?), (?=(?:what|how|which|by|did|compute|calculate)\b)",
        rf"\b(?:define|take|treat) {_NAME} as {_TEXT}",
        rf",?(?P<name>) (?:defined|calculated|computed|measured) as {_TEXT}",
        rf",?(?P<name>) (?:i\.e\.|that is),? {_TEXT}",
        rf",? and {_NAME} as {_TEXT}",
        rf"[,:;.?](?P<name>) (?:use|using|taking|counting|working from|based on) {_TEXT}",
        rf"(?:^|(?<=[.?] )){_NAME} is {_TEXT}",
        r"(?P<name>\b[\w&'’]+(?:[ -][\w&'’]+){0,2}) \((?P<text>[^()]{5,200})\)",
        rf"(?P<name>): {_TEXT}",
        r"(?P<name>)\b(?:what (?:is|was|were|are)|give|compute|calculate) (?P<text>[^?;]{5,300})",
    )
)
"""Where a question may write a formula out, and what it calls it."""
_SIGNS = (
    (re.compile(r"\s(?:plus|\+|together with|including)\s", re.IGNORECASE), " + "),
    (re.compile(r"\s(?:minus|less|net of|−|–|-)\s", re.IGNORECASE), " - "),
    (re.compile(r"\s(?:divided by|over|÷|/)\s", re.IGNORECASE), " / "),
)
_AVERAGED = re.compile(
    r"(?:the )?average(?: of)?(?: the)? "
    r"(?:(?:its |their )?(?:opening|beginning) and (?:closing|ending) (?:balances? of )?)?"
    r"(?P<name>[\w&'’, ]{3,60}?)(?=$| [-+/*] |\))",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:(?:the|its|their|all|segment|full-year|year-end|cash paid as|consolidated) )+", re.IGNORECASE
)
_TRAILING = re.compile(
    r"(?:,? (?:per|from|as per|according to|reported in|in) the .*|,? (?:in|for|at|as of) (?:fiscal |FY ?)?\d.*"
    r"|,? at the (?:end|close|beginning) of.*|,? as a per.*|,? and (?:was|is) .*|,? (?:for|of|at|by|from|in))$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*\)")
_SIGNED = re.compile(r"\s(?:plus|minus|less|over|divided by|[-+/−–÷])\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Definition:
    """A formula and what it is called, where that is said."""

    name: str
    formula: Formula


def take_definitions(text: str) -> tuple[str, list[Definition]]:
    """The question without the formulas that it writes out, and these."""
    found: list[Definition] = []
    for pattern in _WRITTEN:
        for written in pattern.finditer(text):
            formula = read_formula(written["text"])
            if formula is not None:
                found.append(Definition(_own_name(written["name"]), formula))
                text = f"{text[: written.start()]} {written['name']} {text[written.end() :]}"
                break
    return " ".join(text.split()), found


def read_formula(text: str) -> Formula | None:
    """The formula that words write out; None where they write none, or of nothing that the catalogue knows."""
    plain = f" {text.strip(' ,.?')} "
    plain = _ASIDE.sub(lambda aside: aside[0] if _SIGNED.search(aside[0]) else "", plain)
    for pattern, sign in _SIGNS:
        plain = pattern.sub(sign, plain)
    plain = _AVERAGED.sub(lambda found: f"average({found['name']})", plain)
    try:
        formula = _with_items(parse(plain))
    except NoFormula:
        return None
    named = terms_of(formula)
    known = [term for term in named if item_called(term.name) or measure_called(term.name)]
    return formula if isinstance(formula, Joined) and 2 * len(known) >= len(named) else None


def resolved(phrase: str) -> str:
    """The name in the catalogue of what a phrase says; the phrase where it says more than a name."""
    plain = _TRAILING.sub("", _ASIDE.sub("", phrase)).strip(" ,.?")
    shorter = _LEADING.sub("", plain)
    for one in (plain, shorter):
        if item_called(one) is not None:
            return one
        if (measure := measure_called(one)) is not None:
            return measure.name
    found = metrics_in(terms(shorter))
    left = set(sought(shorter, frozenset())).difference(*found.values())
    return name_said(shorter, next(iter(found))) if len(found) == 1 and len(left) <= 1 else shorter or plain


def with_definitions(formula: Formula, definitions: dict[str, Formula]) -> Formula:
    """The formula with what the question defines instead of the names."""
    if isinstance(formula, Term):
        return definitions.get(formula.name, formula)
    left, right = (with_definitions(side, definitions) for side in (formula.left, formula.right))
    return Joined(formula.sign, left, right)


def _with_items(formula: Formula) -> Formula:
    if isinstance(formula, Term):
        name = resolved(formula.name)
        if not terms(name):
            raise NoFormula(formula.name)
        return Term(name, formula.averaged, formula.optional)
    return Joined(formula.sign, _with_items(formula.left), _with_items(formula.right))


def _own_name(written: str) -> str:
    """The measure that the words before a formula end in, else the words."""
    return next(_measures_ending(written), " ".join(written.split()))


def _measures_ending(written: str) -> Iterator[str]:
    words = terms(written)
    for start in range(len(words)):
        measure = Catalogue.shipped().measures.get(words[start:])
        if measure is not None:
            yield measure.name
