"""What a question on figures is about, without what it asks and when: the thing that “it” stands for afterwards."""

import re

from docmind.quality.quantities import Period
from docmind.skills.finance.question_phrases import long_form, mentions, names_something

_UNIT = r"(?:thousands|millions|billions|percent|percentage|dollars|euros)"
_OPENING = re.compile(
    r"^(?:and |so |but |then |now |, )*+(?:also )?(?:by )?(?:(?:what|which|how) )?(?:much |many |percentage |percent )?"
    r"(?:(?:is|was|were|are|did|does|do|has|have|had|would|'s|s)(?: then)?,? (?:then,? )?)?(?:the |all )?",
    re.IGNORECASE,
)
_MOVE = (
    r"(?:change|difference|increase|decrease|growth|growth rate|variance|fluctuation|decline|variation|rise|fall|drop)"
)
_CALCULATED = re.compile(
    rf"^(?:(?:net|total|overall|percentage|percent|annual|combined) )*+(?:{_MOVE}|sum|average|value|amount)"
    r"(?: (?:in|of|for)) (?:the )?",
    re.IGNORECASE,
)
_VERB = re.compile(r" (?:grow|change|increase|decrease|rise|fall|decline|develop|drop)\b.*$", re.IGNORECASE)
_WHEN = re.compile(
    r",? ?\b(?:in|for|from|between|during|as of|at|on|over|by|through|to|and|since)?(?: the)?"
    r"(?: (?:fiscal|financial|calendar|same))?"
    r"(?: (?:years?|ends?|quarters?|periods?|months?)(?: (?:of|ended|ending))?)?"
    r"(?: on)? ?$",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf",? (?:also )?in {_UNIT}\b|\brespectively\b", re.IGNORECASE)


def subject_of(question: str) -> str:
    """The words that name the thing; nothing where none are left."""
    text = _ASIDE.sub("", _without_times(long_form(question).rstrip(" ?.")))
    text = _OPENING.sub("", _OPENING.sub("", text.strip(" ,"), count=1).strip(" ,"), count=1)
    for _ in range(2):
        shorter = _CALCULATED.sub("", text, count=1)
        text = shorter if names_something(shorter) else text
    text = _VERB.sub("", text).strip(" ,")
    return text if names_something(text) else ""


def times_of(question: str) -> list[str]:
    """The periods of a question, in its own words and order."""
    return list(dict.fromkeys(one.text for one in mentions(question) if isinstance(one, Period) and one.year))


def _without_times(text: str) -> str:
    """Without its periods and the little words that lead to them."""
    for time in reversed(times_of(text)):
        before, found, after = text.rpartition(time)
        if found:
            text = f"{_WHEN.sub('', before)} {after.strip()}".strip()
    return text
