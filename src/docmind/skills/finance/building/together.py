"""Follow-ups that take the figures answered before together: the change between them, its percentage, their sum."""

import re

from docmind.skills.finance.building.before import Before, asks_for_change, year
from docmind.skills.finance.building.pointing import names_a_thing
from docmind.skills.finance.composed import Operator, read_composed, write
from docmind.skills.finance.subject import subject_of, times_of

_PERCENT = re.compile(
    r"\b(?:percent(?:age)?|%|relative|proportional) (?:\w{1,12} )?"
    r"(?:change|increase|decrease|growth|difference|decline|rise)"
    r"|\bwhat (?:percent(?:age)?|%) (?:did|has|have)\b|\bgrowth rate\b|\brate of (?:change|growth|return)\b"
    r"|\b(?:change|increase|decrease|growth),? in percent"
)
_ADDED = re.compile(r"\b(?:sum|total|combined|together|altogether|cumulative)\b")
_MEAN = re.compile(r"\b(?:average|mean)\b")
_COUNTED = {"two": 2, "2": 2, "both": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}
_MANY = re.compile(r"\b(" + "|".join(_COUNTED) + r")\b")


def in_percent(asked: str, before: Before) -> str:
    """So what was the percentage change?"""
    if _PERCENT.search(asked) is None or names_a_thing(asked):
        return ""
    moved = before.move()
    made = read_composed(moved) if moved else None
    if made is not None:
        return write(Operator.GROWTH, made.parts)
    thing, times = _moved(moved, asked) if moved else _between_levels(asked, before)
    if thing and times:
        when = f"from {times[0]} to {times[-1]}" if len(times) > 1 else f"in {times[0]}"
        return f"what was the percentage change in {thing} {when}?"
    two = before.levels()[-2:]
    return write(Operator.GROWTH, two) if len(two) == 2 and not moved else ""


def _moved(moved: str, asked: str) -> tuple[str, list[str]]:
    return subject_of(moved), times_of(asked) or times_of(moved)


def changed(asked: str, before: Before) -> str:
    """What was, then, the change over the years?"""
    if not asks_for_change(asked) or names_a_thing(asked) or _PERCENT.search(asked):
        return ""
    thing, times = _between_levels(asked, before)
    if thing:
        return f"what was the change in {thing} from {times[0]} to {times[-1]}?"
    two = before.levels()[-2:]
    return write(Operator.LESS, two) if len(two) == 2 else ""


def added_up(asked: str, before: Before) -> str:
    """What is the sum of those two? And the average of them?"""
    operator = Operator.AVERAGE if _MEAN.search(asked) else Operator.PLUS if _ADDED.search(asked) else None
    if operator is None or names_a_thing(asked):
        return ""
    levels = before.levels()
    told = _MANY.search(asked)
    count = _COUNTED[told[1]] if told is not None else 2
    return write(operator, levels[-count:]) if len(levels) >= count and not times_of(asked) else ""


def _between_levels(asked: str, before: Before) -> tuple[str, list[str]]:
    """The thing of the two figures before and their times, oldest first, where both are of one thing."""
    two = before.levels()[-2:]
    things = {subject_of(one).lower() for one in two}
    times = times_of(asked) or sorted({time for one in two for time in times_of(one)}, key=year)
    return (subject_of(two[-1]), times) if len(things) == 1 and len(times) == 2 else ("", [])
