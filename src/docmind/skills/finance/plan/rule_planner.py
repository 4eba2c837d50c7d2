"""Reads a question on figures into a plan without a chat model: what it names, when, and what is done with it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from docmind.quality.quantities import Period
from docmind.skills.finance.catalogue import NoFormula, Term, measure_in
from docmind.skills.finance.companies import mentions as places_of
from docmind.skills.finance.companies import named, without_names
from docmind.skills.finance.operations import Operation, moves, operation_of
from docmind.skills.finance.phrases import long_form, mentions, subject_of, terms, times_of
from docmind.skills.finance.plan.plan import (
    MOST_LOOKUPS,
    MOST_STEPS,
    Calculation,
    Plan,
    PlanBuilder,
    joined_plans,
    of_company,
    plan_between,
    year_before,
)
from docmind.skills.finance.plan.subjects import Subject, divides, read_subject, rest_of, take_definitions
from docmind.skills.finance.question import FinanceQuestion, read_question, without_chart_request

_MOVE = r"(?:increase|growth|change|rise|decrease|decline|fall)"
_CAME_FROM = re.compile(r" (?:came|comes) from | (?:was|is) due to ", re.IGNORECASE)
_SHARE_OF_MOVE = re.compile(
    r"\b(?:share|percentage|percent|portion|proportion|much) of (?:the )?"
    rf"(?P<whole>.{{0,80}}?)(?:'s)? ?\b{_MOVE}\b(?: (?:in|of) (?P<of>.{{2,120}}))?",
    re.IGNORECASE,
)
_MEAN_GROWTH = re.compile(
    r"\baverage (?:annual |yearly )?(?:growth|increase|percentage (?:change|increase))"
    r"(?: rate)? (?:of|in) (?:the )?(?P<thing>.{2,80}?) (?:from|between|over)\b",
    re.IGNORECASE,
)
LONGEST = 300
"""Characters of a question that one breath holds."""


def plan_of_changes(question: FinanceQuestion) -> Plan | None:
    """The plan of a question on changes of changes; None for others."""
    return None if len(question.text) > LONGEST else _share_of_move(question) or _mean_growth(question)


def _share_of_move(question: FinanceQuestion) -> Plan | None:
    """What share of the increase in revenue from 2022 to 2024 came from Europe?"""
    said = _CAME_FROM.split(question.text, maxsplit=1)
    found = _SHARE_OF_MOVE.search(said[0]) if len(said) == 2 else None
    times = times_of(question.text)
    if len(times) == 1 and (before := year_before(times[0])):
        times.append(before)
    if found is None or len(times) != 2:
        return None
    whole, part = (subject_of(thing) for thing in (found["of"] or found["whole"], said[1]))
    whole = whole or subject_of(found["whole"])
    if not whole or not part:
        return None
    return joined_plans(Calculation.SHARE, [plan_between(Calculation.CHANGE, thing, times) for thing in (part, whole)])


def _mean_growth(question: FinanceQuestion) -> Plan | None:
    """The mean of the growth of every year."""
    found = _MEAN_GROWTH.search(question.text)
    years = [period.year for period in question.stretch if period.year]
    if found is None or len(years) < 3:
        return None
    growths = [plan_between(Calculation.GROWTH, found["thing"], [str(new), str(old)]) for old, new in pairwise(years)]
    return joined_plans(Calculation.AVERAGE, growths)


_MOVES = {
    Operation.DIFFERENCE: Calculation.CHANGE,
    Operation.GROWTH: Calculation.GROWTH,
    Operation.CAGR: Calculation.CAGR,
    Operation.SUM: Calculation.SUM,
    Operation.AVERAGE: Calculation.AVERAGE,
}
_PLANNED = (Operation.LOOKUP, Operation.SHARE, Operation.RATIO, Operation.RANK, *_MOVES)
_OVER_ALL = (Operation.LOOKUP, Operation.AVERAGE, Operation.SUM, Operation.DEVELOPMENT)
"""Operations that take every year between the ends of a stretch."""
SEVERAL = 2
MOST_BESIDES = 3
"""Words that a question may have beside what the catalogue knows of it; with more it asks for something else."""
_YEAR_BEFORE = re.compile(
    r"\b(?:the )?(?:year before|prior year|previous year|year[- ](?:on|over)[- ]year|yoy)\b", re.IGNORECASE
)
_SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
"""From then to the newest figure that there is."""
_REPORT = re.compile(r"\W{1,3}(?:annual|quarterly|10-?[kq]|form|release|report)", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:higher|highest|larger|largest|bigger|biggest|fatter|greater|faster|more|lower|lowest|smaller|less|better)\b",
    re.IGNORECASE,
)
_BY_HOW = re.compile(r"\bby how (?:much|many)\b", re.IGNORECASE)
_APART = re.compile(rf"{_BY_HOW.pattern}|\bgap\b|\bdifference\b|\bpoints\b", re.IGNORECASE)
_BROKEN_DOWN = re.compile(
    r"\bby (?!how\b|what\b|the\b|which\b|year\b|quarter\b)[a-z]{3,}"
    r"|\b(?:trailing|last)[- ](?:twelve|12)[- ]months?\b|\b[TL]TM\b",
    re.IGNORECASE,
)
"""What takes several rows, or a stretch of which nothing says when it ends: by segment, the trailing twelve months."""


def read_plan(text: str, companies: Sequence[str] = (), *, beside: int = MOST_BESIDES) -> Plan | None:
    """The plan for a question on items and measures of the catalogue, or by a formula of its own; None for others.

    `companies` are those that there are documents of; `beside` is how many words a question on one item may have that
    say neither what nor when: a few are verbs, more are of something else.
    """
    body, definitions = take_definitions(without_chart_request(read_question(long_form(text)).text))
    whose = named(text, list(companies))
    question = _without_measure(read_question(without_names(body, whose)))
    if (changes := plan_of_changes(question)) is not None:
        return of_company(changes, whose[0]) if len(whose) == 1 else changes
    question = replace(question, operation=_operation(question, whose))
    if beside and _is_between(question, whose):
        question = replace(question, operation=Operation.DEVELOPMENT)
    if beside and question.operation is Operation.DEVELOPMENT:
        question = replace(question, operation=_of_development(question))
    if not _is_planned(question, beside) or (question.operation is Operation.RANK and len(whose) < 2):
        return None
    if _BROKEN_DOWN.search(question.text) or (len(whose) < 2 and question.text.lower().startswith("which ")):
        return None
    subject = read_subject(question, definitions, whose, beside)
    if subject is None:
        return _by_words(question, text, whose) if beside else None
    try:
        return _planned(subject, question, text, whose)
    except (NoFormula, ValueError):
        return None


def _is_between(question: FinanceQuestion, whose: Sequence[str]) -> bool:
    """Whether what is asked of one company from one time to another can only be how it moved: nothing is in between."""
    two = len(question.stretch) == len(question.periods) == SEVERAL
    return question.operation is Operation.LOOKUP and question.is_stretch and two and len(whose) < SEVERAL


def _is_planned(question: FinanceQuestion, beside: int) -> bool:
    """How something moved over several times is planned in whole reports: no one table has to tell all of them."""
    moved = question.operation is Operation.DEVELOPMENT and beside > 0 and len(question.stretch) > 1
    return moved or question.operation in _PLANNED


def _by_words(question: FinanceQuestion, text: str, whose: Sequence[str]) -> Plan | None:
    """What the catalogue does not know of several companies or times: for each the row that the words mean.

    Of one company at one time the words are looked for as they stand, without a plan.
    """
    times = _periods(read_question(text), question.operation)
    item = rest_of(question, whose)
    if not item or question.sides is not None or len(times) * max(len(whose), 1) < SEVERAL:
        return None
    try:
        return _planned(Subject(Term(item)), question, text, whose)
    except (NoFormula, ValueError):
        return None


def _operation(question: FinanceQuestion, whose: Sequence[str]) -> Operation:
    """What is asked for, where companies are held against each other or two periods are."""
    if len(whose) > 1 and _COMPARED.search(question.text):
        return Operation.RANK
    if question.operation is Operation.SUM and len(question.periods) == len(question.metrics) == 1:
        # What is put together for one stretch is its figure.
        return Operation.LOOKUP
    few = len(question.stretch) <= SEVERAL
    if question.operation is Operation.DEVELOPMENT and few and measure_in(question.text) is not None:
        return Operation.DIFFERENCE
    if question.operation is Operation.LOOKUP and len(question.periods) == 2 and _BY_HOW.search(question.text):
        return Operation.DIFFERENCE
    return question.operation


def _of_development(question: FinanceQuestion) -> Operation:
    """How something unknown moved between two times is a change; over more of them each figure says it."""
    if len(question.periods) > SEVERAL:
        return Operation.LOOKUP
    unknown = not question.metrics and len(question.periods) == SEVERAL
    return Operation.DIFFERENCE if unknown else question.operation


def _without_measure(question: FinanceQuestion) -> FinanceQuestion:
    """With the operation that is asked for beside the name of a measure: return on average equity is no average."""
    measure = measure_in(question.text)
    if measure is None:
        return question
    names = "|".join(sorted(map(re.escape, measure.names), key=len, reverse=True))
    rest = re.sub(rf"\b(?:{names})\b", "it", question.text, flags=re.IGNORECASE)
    operation = operation_of(rest)
    return replace(question, operation=operation, sides=question.sides if operation is question.operation else None)


def _planned(subject: Subject, question: FinanceQuestion, text: str, whose: Sequence[str]) -> Plan | None:
    builder = PlanBuilder()
    operation = _operation_on(subject, question)
    periods = _periods(question, operation) or _periods(read_question(text), operation)
    on_year = _YEAR_BEFORE.search(text) is not None
    ranks = operation is Operation.RANK and len(whose) > 1
    move = _MOVES.get(operation)
    if ranks and (on_year or moves(question.text)):
        move = Calculation.GROWTH
    elif on_year and move is None:
        move = Calculation.CHANGE
    by_company = len(whose) > 1 and move is not None and _is_of_each(move, periods, ranks=ranks)
    if move in (Calculation.CHANGE, Calculation.GROWTH) and len(periods) == 1 and (by_company or len(whose) < 2):
        periods = ["", periods[0]] if _SINCE.search(text) else [periods[0], year_before(periods[0])]
    groups = [
        [
            builder.add(subject.formula, period, subject.unit, subject.name, company=company, segment=subject.segment)
            for period in times
        ]
        for company, times in _at(whose, periods, text)
    ]
    if len(builder.lookups) > MOST_LOOKUPS or len(builder.steps) + by_company * len(groups) >= MOST_STEPS:
        return None
    if by_company and move is not None:
        if any(len(ids) < SEVERAL for ids in groups):
            return None
        groups = [[builder.calculate(move, ids)] for ids in groups]
        move = None
    ids = [one for group in groups for one in group]
    if move is not None and not ranks:
        if len(ids) < SEVERAL:
            return None
        builder.calculate(move, ids)
    elif operation is Operation.RATIO and len(whose) == 2 and not divides(subject.formula):
        # "How many times B is A" divides A by B.
        builder.calculate(Calculation.RATIO, ids[::-1] if "how many times" in text.lower() else ids)
    elif operation is Operation.DEVELOPMENT and len(whose) < 2:
        builder.calculate(Calculation.SERIES, ids)
    elif ranks:
        builder.calculate(Calculation.LOWEST if question.least else Calculation.HIGHEST, ids)
        if len(ids) == SEVERAL and _APART.search(text):
            builder.calculate(Calculation.CHANGE, ids)
    return builder.plan()


def _operation_on(subject: Subject, question: FinanceQuestion) -> Operation:
    """What is done with the figures of a subject: a total may be the name of a row."""
    if question.operation is not Operation.SUM or (question.adds_up and not question.respectively):
        return question.operation
    named = isinstance(subject.formula, Term) and "total" in terms(subject.formula.name)
    return Operation.SUM if question.is_stretch and not named else Operation.LOOKUP


def _is_of_each(move: Calculation, periods: Sequence[str], *, ranks: bool) -> bool:
    """Whether something is calculated of each company by itself, and not of all of them together."""
    return ranks or move in (Calculation.GROWTH, Calculation.CAGR) or len(periods) > 1


def _at(whose: Sequence[str], periods: Sequence[str], text: str) -> list[tuple[str, list[str]]]:
    """For each company the periods that are asked for: its own where each is named with one."""
    if len(whose) < 2 or len(whose) != len(periods) or not _is_dated_between(text, whose):
        return [(company, [*periods] or [""]) for company in whose or ("",)]
    return [(company, [period]) for company, period in zip(whose, periods, strict=True)]


def _is_dated_between(text: str, whose: Sequence[str]) -> bool:
    """Whether a figure stands between the first two companies: Arden's sales in 2022 and Brack's in 2023."""
    first, second, *_ = (next(one for one in places_of(text, whose) if one.company == name) for name in whose)
    return any(map(str.isdigit, text[first.end : second.start]))


def _periods(question: FinanceQuestion, operation: Operation) -> list[str]:
    """The periods in their own words, newest first where one is held against the other.

    Every year between the ends of a stretch counts where all of them are taken.
    """
    if operation in _OVER_ALL and len(question.stretch) > len(question.periods):
        return [str(period.year) for period in reversed(question.stretch)]
    text = long_form(question.text)
    told = {one.key: one for one in mentions(text) if isinstance(one, Period) and one.year}
    # The year of a report says where to look, and not what for, where another is named.
    periods = [one for one in told.values() if _REPORT.match(text, one.span.end) is None] or list(told.values())
    # A year beside days of it says which year they are of.
    dated = {one.year for one in periods if one.day}
    if all(one.day or one.key == Period(one.year) for one in periods):
        periods = [one for one in periods if one.day or one.year not in dated]
    if operation in (Operation.DIFFERENCE, Operation.GROWTH, Operation.CAGR):
        periods.sort(key=_when, reverse=True)
    fiscal = any(one.fiscal for one in periods)
    return [f"fiscal {one.year}" if fiscal and one.key == Period(one.year) else _whole_text(one) for one in periods]


def _whole_text(period: Period) -> str:
    """As the question says it, with the length that a list says once: quarters ended in June 2022 and March 2023."""
    if period.key in [one.key for one in mentions(period.text) if isinstance(one, Period)]:
        return period.text
    return f"{period.months} months ended {period.text}" if period.months else period.text


def _when(period: Period) -> tuple[int, int, int]:
    return period.year or 0, period.month or 3 * (period.quarter or 0), period.day or 0
