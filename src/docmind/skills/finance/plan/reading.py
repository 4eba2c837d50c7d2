"""Reads a question on figures into a plan without a chat model: what it names, when, and what is done with it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from docmind.quality.quantities import Period
from docmind.skills.finance.asking import long_form, mentions, sought
from docmind.skills.finance.catalogue import (
    Measure,
    Unit,
    item_called,
    measure_called,
    measure_in,
    metrics_in,
    name_said,
)
from docmind.skills.finance.chart_request import without_request
from docmind.skills.finance.company_names import named, without_names
from docmind.skills.finance.formula import Formula, Joined, NoFormula, Sign, Term, terms_of
from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.plan.building import PlanBuilder, year_before
from docmind.skills.finance.plan.changes import plan_of_changes
from docmind.skills.finance.plan.definitions import (
    Definition,
    read_formula,
    resolved,
    take_definitions,
    with_definitions,
)
from docmind.skills.finance.plan.plan import MOST_LOOKUPS, MOST_STEPS, Calculation, Plan
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.sides import sides
from docmind.skills.finance.terms import terms
from docmind.skills.question.subject import VERBS
from docmind.skills.question.words import ASKING, AUXILIARIES

_MOVES = {
    Operation.DIFFERENCE: Calculation.CHANGE,
    Operation.GROWTH: Calculation.GROWTH,
    Operation.CAGR: Calculation.CAGR,
    Operation.SUM: Calculation.SUM,
    Operation.AVERAGE: Calculation.AVERAGE,
}
_QUOTIENTS: dict[Operation, Unit] = {Operation.SHARE: "percent", Operation.RATIO: "times"}
_PLANNED = (Operation.LOOKUP, Operation.SHARE, Operation.RATIO, Operation.RANK, *_MOVES)
MOST_BESIDES = 3
"""Words that a question may have beside what the catalogue knows of it; with more it asks for something else."""
_YEAR_BEFORE = re.compile(
    r"\b(?:the )?(?:year before|prior year|previous year|year[- ](?:on|over)[- ]year|yoy)\b", re.IGNORECASE
)
_NO_NOUNS = VERBS | AUXILIARIES | ASKING
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"[^\W\d_]++(?:[-.&][^\W\d_]++)*+\.?")
_SENTENCES = re.compile(r"(?<=[.?!]) (?=[A-Z])")
_QUARTER = re.compile(r"[ -]quarter\b", re.IGNORECASE)
_REPORT = re.compile(r"\W{1,3}(?:annual|quarterly|10-?[kq]|form|release|report)", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:higher|highest|larger|largest|bigger|biggest|fatter|greater|faster|more|lower|lowest|smaller|less|better)\b",
    re.IGNORECASE,
)
_BY_HOW = re.compile(r"\bby how (?:much|many)\b", re.IGNORECASE)
_BROKEN_DOWN = re.compile(
    r"\bby (?!how\b|what\b|the\b|which\b)[a-z]{3,}"
    r"|\b(?:trailing|twelve|last 12)[- ](?:twelve[- ])?months?\b|\b[TL]TM\b",
    re.IGNORECASE,
)
"""What takes several rows, or a year that no report tells: by segment, the trailing twelve months."""
_IN_PERCENT = re.compile(r"\b(?:percent(?:age)?|per cent|margin|rate|share|payout)\b|%", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Subject:
    """What is asked about: a formula, what it is called, and in which unit a quotient is told."""

    formula: Formula
    name: str = ""
    unit: Unit = ""
    segment: str = ""


def read_plan(text: str, companies: Sequence[str] = (), *, beside: int = MOST_BESIDES) -> Plan | None:
    """The plan for a question on items and measures of the catalogue, or by a formula of its own; None for others.

    `companies` are those that there are documents of; `beside` is how many words a question on one item may have that
    say neither what nor when: a few are verbs, more are of something else.
    """
    body, definitions = take_definitions(without_request(read_question(text).text))
    question = _without_measure(read_question(body))
    whose = named(text, list(companies))
    if (changes := plan_of_changes(question)) is not None:
        return changes
    question = replace(question, operation=_operation(question, whose))
    if question.operation not in _PLANNED or (question.operation is Operation.RANK and len(whose) < 2):
        return None
    if _BROKEN_DOWN.search(question.text):
        return None
    subject = _subject(question, definitions, whose, beside)
    if subject is None:
        return None
    try:
        return _planned(subject, question, text, whose)
    except (NoFormula, ValueError):
        return None


def _operation(question: FinanceQuestion, whose: Sequence[str]) -> Operation:
    """What is asked for, where companies are held against each other or two periods are."""
    if len(whose) > 1 and _COMPARED.search(question.text):
        return Operation.RANK
    if question.operation is Operation.DEVELOPMENT and measure_in(question.text) is not None:
        return Operation.DIFFERENCE
    if question.operation is Operation.LOOKUP and len(question.periods) == 2 and _BY_HOW.search(question.text):
        return Operation.DIFFERENCE
    return question.operation


def _without_measure(question: FinanceQuestion) -> FinanceQuestion:
    """With the operation that is asked for beside the name of a measure: return on average equity is no average."""
    measure = measure_in(question.text)
    if measure is None:
        return question
    names = "|".join(sorted(map(re.escape, measure.names), key=len, reverse=True))
    rest = re.sub(rf"\b(?:{names})\b", "it", question.text, flags=re.IGNORECASE)
    return replace(question, operation=operation_of(rest), sides=sides(rest, operation_of(rest)) and question.sides)


def _subject(
    question: FinanceQuestion, definitions: Sequence[Definition], whose: Sequence[str], beside: int
) -> _Subject | None:
    by_name = {one.name: one.formula for one in definitions if one.name}
    unnamed = next((one.formula for one in definitions if not one.name), None)
    measure = measure_in(question.text)
    if question.sides is not None and question.operation in _QUOTIENTS:
        return _of_sides(question, by_name, unnamed, whose)
    if measure is not None:
        segment = _rest(question, whose, measure.names)
        if not definitions:
            return _Subject(Term(measure.name), segment=segment)
        names = " ".join(word for word in segment.split() if word[0].isupper())
        return _Subject(_defined(measure, by_name, unnamed), measure.name, measure.unit, names)
    called = next((name for name in by_name if frozenset(terms(name)) <= frozenset(terms(question.text))), "")
    own = unnamed or by_name.get(called)
    if own is not None:
        unit: Unit = "percent" if _IN_PERCENT.search(f"{question.text} {called}") else "times"
        return _Subject(with_definitions(own, by_name), called, unit if _divides(own) else "")
    return _of_items(question, whose, beside)


def _defined(measure: Measure, by_name: dict[str, Formula], unnamed: Formula | None) -> Formula:
    """The formula of a measure as the question defines it, or one of the measures that it is made of."""
    if measure.name in by_name:
        return with_definitions(by_name[measure.name], by_name)
    if unnamed is not None and _divides(unnamed) == _divides(measure.formula):
        return with_definitions(unnamed, by_name)
    made_of = [
        term.name for term in terms_of(measure.formula) if measure_called(term.name) and term.name not in by_name
    ]
    meant = {made_of[0]: unnamed} if unnamed is not None and made_of else {}
    return with_definitions(measure.formula, {**by_name, **meant})


def _of_sides(
    question: FinanceQuestion, by_name: dict[str, Formula], unnamed: Formula | None, whose: Sequence[str]
) -> _Subject | None:
    """A as a share of B, the ratio of A to B; sides may be formulas, and what one is may be said besides."""
    formulas = [read_formula(side) or Term(resolved(side)) for side in question.sides or ()]
    formulas = [unnamed if unnamed is not None and not _is_known(one) else one for one in formulas]
    if not all(map(_is_known, formulas)) or _is_one_thing(*formulas) or len(whose) > 1:
        return None
    left, right = (with_definitions(one, by_name) for one in formulas)
    return _Subject(Joined(Sign.OVER, left, right), unit=_QUOTIENTS[question.operation])


def _is_one_thing(first: Formula, second: Formula) -> bool:
    if not isinstance(first, Term) or not isinstance(second, Term):
        return False
    item = item_called(first.name)
    return first.name == second.name or (item is not None and item == item_called(second.name))


def _is_known(formula: Formula) -> bool:
    """Whether the catalogue knows all of it, or half of what a formula takes."""
    found = [item_called(term.name) or measure_called(term.name) for term in terms_of(formula)]
    return all(found) or (isinstance(formula, Joined) and any(found))


def _of_items(question: FinanceQuestion, whose: Sequence[str], beside: int) -> _Subject | None:
    items = metrics_in(terms(question.text))
    names = list(items)
    if len(names) == 2 and question.operation in _QUOTIENTS and len(whose) < 2:
        return _Subject(Joined(Sign.OVER, Term(names[0]), Term(names[1])), unit=_QUOTIENTS[question.operation])
    segment = _rest(question, whose, [" ".join(words) for words in items.values()])
    # What an average or a sum is taken of may be the word that is not known.
    most = 0 if question.operation in (Operation.AVERAGE, Operation.SUM) else beside
    if len(names) != 1 or len(segment.split()) > most:
        return None
    return _Subject(Term(name_said(question.text, names[0])), segment=segment)


def _rest(question: FinanceQuestion, whose: Sequence[str], said: Sequence[str]) -> str:
    """What else the question names beside companies, periods and the thing itself: a segment, if labels have it."""
    text = without_names(_sentence_with(question.text, said), whose)
    known = set(terms(" ".join(said)))
    own = set(sought(text, frozenset())) - known - question.unsought
    words = [_POSSESSIVE.sub("", word) for word in _in_sentences(long_form(text))]
    named = [word for word in words if _WORD.fullmatch(word) and word.lower() not in _NO_NOUNS]
    kept = [word for word in named if own.intersection(terms(word))]
    return " ".join(dict.fromkeys(kept))[:120]


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
        begins = word[-1] in ".?!:"


def _divides(formula: Formula) -> bool:
    return isinstance(formula, Joined) and formula.sign is Sign.OVER


def _planned(subject: _Subject, question: FinanceQuestion, text: str, whose: Sequence[str]) -> Plan | None:
    builder = PlanBuilder()
    operation = question.operation
    if operation is Operation.SUM and (not question.adds_up or question.respectively):
        # A total may be the name of a row.
        if len(question.periods) > 1:
            return None
        operation = Operation.LOOKUP
    periods = _periods(question, operation) or _periods(read_question(text), operation)
    if _YEAR_BEFORE.search(text) and len(whose) > 1:
        return None
    if _YEAR_BEFORE.search(text) and operation not in _MOVES:
        operation = Operation.DIFFERENCE
    if operation in (Operation.DIFFERENCE, Operation.GROWTH) and len(periods) == 1 and len(whose) < 2:
        periods = [periods[0], year_before(periods[0])]
    at = _at(whose, periods)
    ids = [
        builder.add(subject.formula, period, subject.unit, subject.name, company=company, segment=subject.segment)
        for company, times in at
        for period in times
    ]
    if len(builder.lookups) > MOST_LOOKUPS or len(builder.steps) >= MOST_STEPS:
        return None
    if operation in _MOVES and len(ids) < 2:
        return None
    if operation in _MOVES:
        builder.calculate(_MOVES[operation], ids)
    elif operation is Operation.RATIO and len(whose) == 2 and not _divides(subject.formula):
        # "How many times B is A" divides A by B.
        builder.calculate(Calculation.RATIO, ids[::-1] if "how many times" in text.lower() else ids)
    elif operation is Operation.RANK and len(whose) > 1:
        builder.calculate(Calculation.LOWEST if question.least else Calculation.HIGHEST, ids)
        if len(ids) == 2:
            builder.calculate(Calculation.CHANGE, ids)
    return builder.plan()


def _at(whose: Sequence[str], periods: Sequence[str]) -> list[tuple[str, list[str]]]:
    """For each company the periods that are asked for: its own where each is named with one."""
    if len(whose) < 2 or len(whose) != len(periods):
        return [(company, [*periods] or [""]) for company in whose or ("",)]
    return [(company, [period]) for company, period in zip(whose, periods, strict=True)]


def _periods(question: FinanceQuestion, operation: Operation) -> list[str]:
    """The periods in their own words, newest first where one is held against the other.

    Every year between the ends of a stretch counts where all of them are taken.
    """
    if operation in (Operation.AVERAGE, Operation.SUM) and len(question.stretch) > len(question.periods):
        return [str(period.year) for period in reversed(question.stretch)]
    text = long_form(question.text)
    told = {one.key: one for one in mentions(text) if isinstance(one, Period) and one.year}
    # The year of a report says where to look, and not what for, where another is named.
    periods = [one for one in told.values() if _REPORT.match(text, one.span.end) is None] or list(told.values())
    if operation in (Operation.DIFFERENCE, Operation.GROWTH, Operation.CAGR):
        periods.sort(key=_when, reverse=True)
    return [f"three months ended {one.text}" if _is_quarter(one, text) else one.text for one in periods]


def _is_quarter(period: Period, text: str) -> bool:
    """The June 2023 quarter."""
    return bool(period.month and not period.months and _QUARTER.match(text, period.span.end))


def _when(period: Period) -> tuple[int, int, int]:
    return period.year or 0, period.month or 3 * (period.quarter or 0), period.day or 0
