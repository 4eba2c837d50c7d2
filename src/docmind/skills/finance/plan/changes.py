"""Plans on changes that a question names in one breath: the share of an increase, the average growth."""

import re
from itertools import pairwise

from docmind.skills.finance.plan.building import year_before
from docmind.skills.finance.plan.composition import between, joined
from docmind.skills.finance.plan.plan import Calculation, Plan
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
    return joined(Calculation.SHARE, [between(Calculation.CHANGE, thing, times) for thing in (part, whole)])


def _mean_growth(question: FinanceQuestion) -> Plan | None:
    """The mean of the growth of every year."""
    found = _MEAN_GROWTH.search(question.text)
    years = [period.year for period in question.stretch if period.year]
    if found is None or len(years) < 3:
        return None
    growths = [between(Calculation.GROWTH, found["thing"], [str(new), str(old)]) for old, new in pairwise(years)]
    return joined(Calculation.AVERAGE, growths)
