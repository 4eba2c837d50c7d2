"""Follow-ups that build on what was answered: the change between both, that divided by 1,000, the sum of those."""

import re
from collections.abc import Sequence

from docmind.skills.finance.building.before import Before, asks_for_change
from docmind.skills.finance.building.onward import related, worked_on
from docmind.skills.finance.building.pointing import names_a_thing
from docmind.skills.finance.building.together import added_up, changed, in_percent
from docmind.skills.finance.subject import times_of

__all__ = ["built_on", "names_a_thing"]

_LEAD = re.compile(r"^(?:(?:and|so|but|then|now|ok)[, ]++)*+(?:,? ?then,? )?", re.IGNORECASE)
_THEN = re.compile(r",? then,", re.IGNORECASE)


def built_on(message: str, questions: Sequence[str]) -> str:
    """The question that a message stands for that calculates with what was answered; nothing where it does not."""
    before = Before(questions)
    asked = _plain(message)
    for read in (worked_on, related, in_percent, changed, added_up, _valued):
        if meant := read(asked, before):
            return meant
    return ""


def _plain(message: str) -> str:
    text = _THEN.sub("", _LEAD.sub("", " ".join(message.lower().split()).rstrip(" ?.")))
    return text.strip(" ,")


def _valued(asked: str, before: Before) -> str:
    """And what was it in 2005? What was the value in 2001?"""
    times, thing = times_of(asked), before.thing()
    bare = not re.search(r"[a-z]{2,}", re.sub(r"\b(?:in|for|at|and|of|the|year)\b", "", asked))
    if not times or not thing or bare or names_a_thing(asked) or asks_for_change(asked):
        return ""
    return f"what was the {thing} in {times[-1]}?" if len(times) == 1 else ""
