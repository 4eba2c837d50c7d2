"""Follow-ups that work on the last answer with one more operand: that times 100, this change over the 2015 value."""

import re

from docmind.skills.finance.building.before import Before, asks_for_change, is_move, year
from docmind.skills.finance.composed import Operator, write
from docmind.skills.finance.subject import subject_of, times_of
from docmind.skills.finance.terms import terms

_SAID = (
    r"(?:(?:that|this|the|these|those|such|prior|previous|net|total|resulting|same) ){0,3}"
    r"(?:that|this|it|they|them|change|difference|increase|decrease|decline|growth|sum|total|result|quotient|ratio"
    r"|value"
    r"|values|amount|amounts|number|product|average|variation|variance|figure)"
)
_NUMBER = r"\$?(\d[\d,]*+(?:\.\d++)?+)(?: million| thousand| billion)?"
_OPERATORS = {
    "times": Operator.TIMES, "multiplied by": Operator.TIMES, "divided by": Operator.OVER, "divide by": Operator.OVER,
    "over": Operator.OVER, "plus": Operator.PLUS, "less": Operator.LESS, "minus": Operator.LESS,
    "as a percentage of": Operator.SHARE, "as a percent of": Operator.SHARE, "as a share of": Operator.SHARE,
    "as a portion of": Operator.SHARE, "as a proportion of": Operator.SHARE, "as part of": Operator.SHARE,
}  # fmt: skip
_SIGN = "|".join(sorted(map(re.escape, _OPERATORS), key=len, reverse=True))
_ON = re.compile(
    rf"^(?:what (?:is|was|were|are) |how much is )?{_SAID} ({_SIGN}) "
    r"(?!(?:the |this |that )?(?:same )?(?:years?|time|period)\b)"
    r"(.{1,120}?)$"
)
_RELATED = re.compile(
    rf"^(?:what percentage |how much |what portion )(?:does|do|did|is|was) {_SAID}(?: (?:in|over|for) .{{1,40}}?)?"
    r" (?:represents?|correspond|amount)(?: to)?,? (?:in relation to|of|as a percentage of|to|against) (.{1,120}?)$"
)
_PART_OF = re.compile(
    r"^(?:what|how much) (?:percentage|percent|portion|share|proportion) of (.{1,80}?) "
    rf"(?:does|do|did|is|was|were|are) {_SAID}"
    r"(?: (?:represent|make up|account for|comprise))?$"
)
_ASIDE = re.compile(r",? (?:in|as a) (?:percentage|percent|%|decimals?|terms of percentage)$")
_VALUE = frozenset(
    ["value", "amount", "one", "number", "total", "figure", "price", "balance", "cost", "rate", "sum", "ones", "values"]
)


def worked_on(asked: str, before: Before) -> str:
    """That times 100; this change divided by the 2015 value."""
    found = _ON.match(_ASIDE.sub("", asked))
    if found is None:
        return ""
    operator = _OPERATORS[found[1]]
    number = re.fullmatch(_NUMBER, found[2])
    other = number[1] if number is not None else _level(found[2], before)
    first = (before.move() if asks_for_change(asked[: found.start(1)]) else "") or before.last
    if number is None and operator in (Operator.OVER, Operator.SHARE) and (grown := _grown(first, other)):
        return grown
    return write(operator, (first, other)) if other else ""


def related(asked: str, before: Before) -> str:
    """How much does this change represent in relation to the 2015 value?"""
    plain = _ASIDE.sub("", asked)
    found = _RELATED.match(plain) or _PART_OF.match(plain)
    if found is None:
        return ""
    whole = _level(found[1], before)
    first = (before.move() if asks_for_change(plain[: found.start(1)]) else "") or before.last
    return _grown(first, whole) or write(Operator.SHARE, (first, whole)) if whole and whole != first else ""


def _grown(moved: str, since: str) -> str:
    """A change as a part of what it began with is a change in per cent."""
    times = sorted(times_of(moved), key=year)
    begins = len(times) == 2 and is_move(moved) and times_of(since) == times[:1]
    about = set(terms(subject_of(moved)))
    if not begins or not about.issuperset(terms(subject_of(since))):
        return ""
    return f"what was the percentage change in {subject_of(moved)} from {times[0]} to {times[1]}?"


def _level(phrase: str, before: Before) -> str:
    """The question that a phrase stands for: the 2015 value, total revenue in 2015, that total."""
    times = times_of(phrase)
    thing = re.sub(r"^(?:(?:the|this|that|those|these|its|their) )*+", "", subject_of(phrase))
    named = bool(thing) and not set(thing.lower().split()) <= _VALUE | {"the", "this", "that", "those", "these", "of"}
    if not named and not times:
        said = [one for one in before.levels() if one != before.last]
        return said[-1] if said else ""
    when = times or times_of(before.last)[-1:]
    about = thing if named else before.thing()
    return f"what was the {about}{f' in {when[-1]}' if when else ''}?" if about else ""
