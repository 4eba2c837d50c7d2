"""What a question on figures is about: items and measures of the catalogue, or a formula that it writes out."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docmind.domain.companies import POSSESSIVE
from docmind.skills.finance.catalogue import (
    Catalogue,
    Formula,
    Joined,
    Measure,
    NoFormula,
    Sign,
    Term,
    Unit,
    item_called,
    measure_called,
    measure_in,
    metrics_in,
    name_said,
    parse,
    terms_of,
)
from docmind.skills.finance.companies import without_names
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import long_form, sought, terms
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.question.subject import VERBS
from docmind.skills.question.words import ASKING, AUXILIARIES

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


_QUOTIENTS: dict[Operation, Unit] = {Operation.SHARE: "percent", Operation.RATIO: "times"}
_NO_NOUNS = VERBS | AUXILIARIES | ASKING
_WORD = re.compile(r"[^\W\d_]++(?:[-.&][^\W\d_]++)*+\.?")
_SENTENCES = re.compile(r"(?<=[.?!])(?<![A-Z]\.) (?=[A-Z])")
_INITIALS = re.compile(r"(?:[A-Z]\.)+")
_WHOLE_FIRST = re.compile(r"\bwhat (?:percent(?:age)?|share|portion|proportion|fraction) of\b", re.IGNORECASE)
_IN_PERCENT = re.compile(r"\b(?:percent(?:age)?|per cent|margin|rate|share|payout)\b|%", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about: a formula, what it is called, and in which unit a quotient is told."""

    formula: Formula
    name: str = ""
    unit: Unit = ""
    segment: str = ""


def read_subject(
    question: FinanceQuestion, definitions: Sequence[Definition], whose: Sequence[str], beside: int
) -> Subject | None:
    """What a question is about; None where the catalogue does not know it. `beside` is that of `read_plan`."""
    by_name = {one.name: one.formula for one in definitions if one.name}
    unnamed = next((one.formula for one in definitions if not one.name), None)
    measure = measure_in(question.text)
    if question.sides is not None and question.operation in _QUOTIENTS:
        return _of_sides(question, by_name, unnamed)
    if measure is not None:
        segment = _rest(question, whose, measure.names)
        if not definitions:
            return Subject(Term(measure.name), segment=segment)
        names = " ".join(word for word in segment.split() if word[0].isupper())
        return Subject(_defined(measure, by_name, unnamed), measure.name, measure.unit, names)
    called = next((name for name in by_name if frozenset(terms(name)) <= frozenset(terms(question.text))), "")
    own = unnamed or by_name.get(called)
    if own is not None:
        unit: Unit = "percent" if _IN_PERCENT.search(f"{question.text} {called}") else "times"
        return Subject(with_definitions(own, by_name), called, unit if divides(own) else "")
    return _of_items(question, whose, beside)


def _defined(measure: Measure, by_name: dict[str, Formula], unnamed: Formula | None) -> Formula:
    """The formula of a measure as the question defines it, or one of the measures that it is made of."""
    if measure.name in by_name:
        return with_definitions(by_name[measure.name], by_name)
    if unnamed is not None and divides(unnamed) == divides(measure.formula):
        return with_definitions(unnamed, by_name)
    made_of = [
        term.name for term in terms_of(measure.formula) if measure_called(term.name) and term.name not in by_name
    ]
    meant = {made_of[0]: unnamed} if unnamed is not None and made_of else {}
    return with_definitions(measure.formula, {**by_name, **meant})


def _of_sides(question: FinanceQuestion, by_name: dict[str, Formula], unnamed: Formula | None) -> Subject | None:
    """A as a share of B, the ratio of A to B; sides may be formulas, and what one is may be said besides."""
    formulas = [read_formula(side) or Term(resolved(side)) for side in question.sides or ()]
    formulas = [unnamed if unnamed is not None and not _is_known(one) else one for one in formulas]
    if not all(map(_is_known, formulas)) or _is_one_thing(*formulas):
        return None
    left, right = (with_definitions(one, by_name) for one in formulas)
    return Subject(Joined(Sign.OVER, left, right), unit=_QUOTIENTS[question.operation])


def _is_one_thing(first: Formula, second: Formula) -> bool:
    if not isinstance(first, Term) or not isinstance(second, Term):
        return False
    item = item_called(first.name)
    return first.name == second.name or (item is not None and item == item_called(second.name))


def _is_known(formula: Formula) -> bool:
    """Whether the catalogue knows all of it, or half of what a formula takes."""
    found = [item_called(term.name) or measure_called(term.name) for term in terms_of(formula)]
    return all(found) or (isinstance(formula, Joined) and any(found))


def _of_items(question: FinanceQuestion, whose: Sequence[str], beside: int) -> Subject | None:
    items = metrics_in(terms(question.text))
    names = list(items)
    if len(names) == 2 and question.operation in _QUOTIENTS and len(whose) < 2:
        part, whole = names[::-1] if _WHOLE_FIRST.search(question.text) else names
        return Subject(Joined(Sign.OVER, Term(part), Term(whole)), unit=_QUOTIENTS[question.operation])
    segment = _rest(question, whose, [" ".join(words) for words in items.values()])
    # What an average or a sum is taken of may be the word that is not known.
    most = 0 if question.operation in (Operation.AVERAGE, Operation.SUM) else beside
    if len(names) != 1 or len(segment.split()) > most:
        return None
    return Subject(Term(name_said(question.text, names[0])), segment=segment)


def _rest(question: FinanceQuestion, whose: Sequence[str], said: Sequence[str]) -> str:
    """What else the question names beside companies, periods and the thing itself: a segment, if labels have it."""
    text = without_names(_sentence_with(question.text, said), whose)
    known = set(terms(" ".join(said)))
    own = set(sought(text, frozenset())) - known - question.unsought
    words = [POSSESSIVE.sub("", word) for word in _in_sentences(long_form(text))]
    named = [word for word in words if _WORD.fullmatch(word) and word.lower() not in _NO_NOUNS]
    kept = [word for word in named if own.intersection(terms(word))]
    return " ".join(dict.fromkeys(kept))[:120]


def rest_of(question: FinanceQuestion, whose: Sequence[str]) -> str:
    """What a question names beside companies and periods, where the catalogue knows nothing of it."""
    return _rest(question, whose, ())


def _sentence_with(text: str, said: Sequence[str]) -> str:
    """The sentence that names the thing; all of them where none does."""
    words = set(terms(" ".join(said)))
    return next((one for one in _SENTENCES.split(text) if words.intersection(terms(one))), text)


def _in_sentences(text: str) -> Iterator[str]:
    """The words, those that begin a sentence in small letters: they are no names for having a capital."""
    begins = True
    for word in text.split():
        plain = word.strip(".,?:;()'’\"“”")
        yield plain.lower() if begins and not plain.isupper() else plain
        begins = word[-1] in ".?!:" and not _INITIALS.fullmatch(word)


def divides(formula: Formula) -> bool:
    """Whether it is a quotient in the end."""
    return isinstance(formula, Joined) and formula.sign is Sign.OVER
