"""Calculations within calculations that a question names in one breath: a change in margin, the average growth."""

import re
from collections.abc import Iterator
from itertools import pairwise

from docmind.skills.finance.composed import Operator, write
from docmind.skills.finance.evidence import Evidence
from docmind.skills.finance.catalogue import measure_in
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.subject import subject_of, times_of

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
_MOVES = (Operation.DIFFERENCE, Operation.GROWTH, Operation.DEVELOPMENT)
_OF_TWO = {Operation.RATIO: Operator.OVER, Operation.SHARE: Operator.SHARE}


def nested(question: FinanceQuestion, evidence: Evidence) -> str:
    """The question composed of those that it takes; nothing where one calculation answers it."""
    if len(question.text) > LONGEST:
        return ""
    return next(filter(None, _readings(question, evidence)), "")


def _readings(question: FinanceQuestion, evidence: Evidence) -> Iterator[str]:
    yield _share_of_move(question)
    yield _mean_growth(question)
    yield _move_of_measure(question, evidence)
    yield _of_measures(question, evidence)


def _share_of_move(question: FinanceQuestion) -> str:
    """What share of the increase in revenue from 2022 to 2024 came from Europe?"""
    said = _CAME_FROM.split(question.text, maxsplit=1)
    found = _SHARE_OF_MOVE.search(said[0]) if len(said) == 2 else None
    times = times_of(question.text)
    if found is None or not times:
        return ""
    whole, part = (subject_of(thing) for thing in (found["of"] or found["whole"], said[1]))
    whole = whole or subject_of(found["whole"])
    when = f"from {times[0]} to {times[-1]}" if len(times) > 1 else f"in {times[0]}"
    if not whole or not part:
        return ""
    return write(Operator.SHARE, [f"What was the change in {thing} {when}?" for thing in (part, whole)])


def _mean_growth(question: FinanceQuestion) -> str:
    """The mean of the growth of every year."""
    found = _MEAN_GROWTH.search(question.text)
    years = [period.year for period in question.stretch if period.year]
    if found is None or len(years) < 3:
        return ""
    growths = [f"What was the percentage change in {found['thing']} from {a} to {b}?" for a, b in pairwise(years)]
    return write(Operator.AVERAGE, growths)


def _move_of_measure(question: FinanceQuestion, evidence: Evidence) -> str:
    """The change in a margin that no table states."""
    made = measure_in(question.text)
    if made is None or question.operation not in _MOVES or len(question.periods) != 2 or evidence.states(made.name):
        return ""
    old, new = sorted(period.year or 0 for period in question.periods)
    return write(Operator.LESS, [f"What was the {made.name} in {year}?" for year in (new, old)])


def _of_measures(question: FinanceQuestion, evidence: Evidence) -> str:
    """Net debt as a multiple of an EBITDA that no table states."""
    operator = _OF_TWO.get(question.operation)
    if operator is None or question.sides is None or len(question.periods) > 1:
        return ""
    measures = [measure_in(side) for side in question.sides]
    if not any(made is not None and evidence.best(made.name) is None for made in measures):
        return ""
    when = f" in {question.periods[0].year}" if question.periods else ""
    return write(operator, [f"What was the {subject_of(side) or side}{when}?" for side in question.sides])
