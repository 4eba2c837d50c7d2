"""Tells a message that says what it is about from one that only points back at what was answered."""

import re

from docmind.skills.finance.question_phrases import names_something

_SAME_TIME = re.compile(r"\b(?:in|during|for|at|on|of) (?:that|this|the) (?:same )?(?:year|time|date|period|quarter)\b")
_STRETCH = re.compile(r"\b(?:in|during|for|over|throughout) (?:that|this|the) (?:same )?(?:time|period|years?|span)\b")

_POINTING = re.compile(
    r"\b(?:"
    "it|they|them|that|this|these|those|both|two|three|four|five|values?|ones?|amounts?|figures?|numbers?"
    r"|then|again|specific|also|same|respective|net|subsequent|previous|prior|precedent|following|variance|fluctuation"
    r"|decline|represent|represents|relation|corresponding|combined|together|result|including|what|much|by|over|time"
    r"|prices?|balances?|variation|percentual|rise|fall|drop|differ|years?|before|after|next|last|and|so|or)\b"
)


def names_a_thing(asked: str) -> bool:
    """Whether a message says what it is about itself, and not only by words that point back."""
    left = _POINTING.sub(" ", _STRETCH.sub(" ", _SAME_TIME.sub(" ", asked.lower())))
    return names_something(left)
