"""Follow-ups that build on what was answered: the change between both, that divided by 1,000, the sum of those."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.skills.finance.asking import names_something
from docmind.skills.finance.composed import Operator, read_composed, write
from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.subject import subject_of, times_of
from docmind.skills.finance.terms import terms

_LEAD = re.compile(r"^(?:(?:and|so|but|then|now|ok)[, ]++)*+(?:,? ?then,? )?", re.IGNORECASE)
_THEN = re.compile(r",? then,", re.IGNORECASE)
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
_PERCENT = re.compile(
    r"\b(?:percent(?:age)?|%|relative|proportional) (?:\w{1,12} )?"
    r"(?:change|increase|decrease|growth|difference|decline|rise)"
    r"|\bwhat (?:percent(?:age)?|%) (?:did|has|have)\b|\bgrowth rate\b|\brate of (?:change|growth|return)\b"
    r"|\b(?:change|increase|decrease|growth),? in percent"
)
_CHANGE = re.compile(
    r"\b(?:change|changed|difference|increase|increased|decrease|decreased|decline|variance|fluctuation|grow)\b"
)
_ADDED = re.compile(r"\b(?:sum|total|combined|together|altogether|cumulative)\b")
_MEAN = re.compile(r"\b(?:average|mean)\b")
_COUNTED = {"two": 2, "2": 2, "both": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}
_MANY = re.compile(r"\b(" + "|".join(_COUNTED) + r")\b")
_ASIDE = re.compile(r",? (?:in|as a) (?:percentage|percent|%|decimals?|terms of percentage)$")
_VALUE = frozenset(
    ["value", "amount", "one", "number", "total", "figure", "price", "balance", "cost", "rate", "sum", "ones", "values"]
)
_SAME_TIME = re.compile(r"\b(?:in|during|for|at|on|of) (?:that|this|the) (?:same )?(?:year|time|date|period|quarter)\b")
_STRETCH = re.compile(r"\b(?:in|during|for|over|throughout) (?:that|this|the) (?:same )?(?:time|period|years?|span)\b")

_POINTING = re.compile(
    r"\b(?:"
    "it|they|them|that|this|these|those|both|two|three|four|five|values?|ones?|amounts?|figures?|numbers?"
    r"|then|again|specific|also|same|respective|net|subsequent|previous|prior|precedent|following|variance|fluctuation"
    r"|decline|represent|represents|relation|corresponding|combined|together|result|including|what|much|by|over|time"
    r"|prices?|balances?|variation|percentual|rise|fall|drop|differ|years?|before|after|next|last|and|so|or)\b"
)


@dataclass(frozen=True, slots=True)
class Before:
    """The questions before, as they were understood, oldest first."""

    questions: Sequence[str]

    @property
    def last(self) -> str:
        return self.questions[-1]

    def levels(self) -> list[str]:
        """Questions that asked for a figure, each once, oldest first."""
        plain = [one for one in self.questions if read_composed(one) is None]
        return list(dict.fromkeys(one for one in plain if operation_of(one) not in _MOVES))

    def move(self) -> str:
        """The last question on a change."""
        return next((one for one in reversed(self.questions) if _is_move(one)), "")

    def thing(self) -> str:
        """What was spoken of last."""
        plain = (one for one in reversed(self.questions) if read_composed(one) is None)
        return next((subject for one in plain if (subject := subject_of(one))), "")


_MOVES = (Operation.DIFFERENCE, Operation.GROWTH, Operation.CAGR)


def _is_move(question: str) -> bool:
    made = read_composed(question)
    return made.operator is Operator.LESS if made is not None else operation_of(question) is Operation.DIFFERENCE


def built_on(message: str, questions: Sequence[str]) -> str:
    """The question that a message stands for that calculates with what was answered; nothing where it does not."""
    before = Before(questions)
    asked = _plain(message)
    for read in (_worked_on, _related, _in_percent, _changed, _added_up, _valued):
        if meant := read(asked, before):
            return meant
    return ""


def _plain(message: str) -> str:
    text = _THEN.sub("", _LEAD.sub("", " ".join(message.lower().split()).rstrip(" ?.")))
    return text.strip(" ,")


def _worked_on(asked: str, before: Before) -> str:
    """That times 100; this change divided by the 2015 value."""
    found = _ON.match(_ASIDE.sub("", asked))
    if found is None:
        return ""
    operator = _OPERATORS[found[1]]
    number = re.fullmatch(_NUMBER, found[2])
    other = number[1] if number is not None else _level(found[2], before)
    first = (before.move() if _CHANGE.search(asked[: found.start(1)]) else "") or before.last
    if number is None and operator in (Operator.OVER, Operator.SHARE) and (grown := _grown(first, other)):
        return grown
    return write(operator, (first, other)) if other else ""


def _related(asked: str, before: Before) -> str:
    """How much does this change represent in relation to the 2015 value?"""
    plain = _ASIDE.sub("", asked)
    found = _RELATED.match(plain) or _PART_OF.match(plain)
    if found is None:
        return ""
    whole = _level(found[1], before)
    first = (before.move() if _CHANGE.search(plain[: found.start(1)]) else "") or before.last
    return _grown(first, whole) or write(Operator.SHARE, (first, whole)) if whole and whole != first else ""


def _grown(moved: str, since: str) -> str:
    """A change as a part of what it began with is a change in per cent."""
    times = sorted(times_of(moved), key=_year)
    begins = len(times) == 2 and _is_move(moved) and times_of(since) == times[:1]
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


def _in_percent(asked: str, before: Before) -> str:
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


def _between_levels(asked: str, before: Before) -> tuple[str, list[str]]:
    """The thing of the two figures before and their times, oldest first, where both are of one thing."""
    two = before.levels()[-2:]
    things = {subject_of(one).lower() for one in two}
    times = times_of(asked) or sorted({time for one in two for time in times_of(one)}, key=_year)
    return (subject_of(two[-1]), times) if len(things) == 1 and len(times) == 2 else ("", [])


def _year(time: str) -> str:
    return max(re.findall(r"(?:19|20)\d\d", time), default=time)


def _changed(asked: str, before: Before) -> str:
    """What was, then, the change over the years?"""
    if _CHANGE.search(asked) is None or names_a_thing(asked) or _PERCENT.search(asked):
        return ""
    thing, times = _between_levels(asked, before)
    if thing:
        return f"what was the change in {thing} from {times[0]} to {times[-1]}?"
    two = before.levels()[-2:]
    return write(Operator.LESS, two) if len(two) == 2 else ""


def _added_up(asked: str, before: Before) -> str:
    """What is the sum of those two? And the average of them?"""
    operator = Operator.AVERAGE if _MEAN.search(asked) else Operator.PLUS if _ADDED.search(asked) else None
    if operator is None or names_a_thing(asked):
        return ""
    levels = before.levels()
    told = _MANY.search(asked)
    count = _COUNTED[told[1]] if told is not None else 2
    return write(operator, levels[-count:]) if len(levels) >= count and not times_of(asked) else ""


def _valued(asked: str, before: Before) -> str:
    """And what was it in 2005? What was the value in 2001?"""
    times, thing = times_of(asked), before.thing()
    bare = not re.search(r"[a-z]{2,}", re.sub(r"\b(?:in|for|at|and|of|the|year)\b", "", asked))
    if not times or not thing or bare or names_a_thing(asked) or _CHANGE.search(asked):
        return ""
    return f"what was the {thing} in {times[-1]}?" if len(times) == 1 else ""


def names_a_thing(asked: str) -> bool:
    """Whether a message says what it is about itself, and not only by words that point back."""
    left = _POINTING.sub(" ", _STRETCH.sub(" ", _SAME_TIME.sub(" ", asked.lower())))
    return names_something(left)
