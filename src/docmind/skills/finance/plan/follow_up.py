"""Follow-ups that calculate with what was answered: the change between both, that divided by 1,000, their sum."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import names_something, sought, subject_of, terms, times_of
from docmind.skills.finance.plan.plan import Calculation, Plan, joined_plans, plan_between, plan_of_figure, year_before
from docmind.skills.finance.plan.rule_planner import read_plan
from docmind.skills.finance.question import read_question

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


_MOVES = {
    Operation.DIFFERENCE: Calculation.CHANGE,
    Operation.GROWTH: Calculation.GROWTH,
    Operation.CAGR: Calculation.CAGR,
}
_OVER_TIME = {**_MOVES, Operation.SUM: Calculation.SUM, Operation.AVERAGE: Calculation.AVERAGE}
_OF_TWO = {Operation.SHARE: Calculation.SHARE, Operation.RATIO: Calculation.RATIO}
_CHANGE = re.compile(
    r"\b(?:change|changed|difference|increase|increased|decrease|decreased|decline|variance|fluctuation|grow)\b"
)


@dataclass(frozen=True, slots=True)
class EarlierQuestion:
    """A question of the conversation, with the plan where it calculates with others."""

    question: str
    built: Plan | None = None

    @property
    def plan(self) -> Plan | None:
        return self.built or plan_for(self.question)

    @property
    def is_change(self) -> bool:
        if self.built is not None:
            return self.built.steps[-1].operation is Calculation.CHANGE
        return read_question(self.question).operation is Operation.DIFFERENCE


@dataclass(frozen=True, slots=True)
class Earlier:
    """The questions before, oldest first."""

    asked: Sequence[EarlierQuestion]

    @property
    def last(self) -> EarlierQuestion:
        return self.asked[-1]

    def levels(self) -> list[EarlierQuestion]:
        """Questions that asked for a figure, each once, oldest first."""
        plain = [one for one in self.asked if one.built is None]
        return list(dict.fromkeys(one for one in plain if read_question(one.question).operation not in _MOVES))

    def change(self) -> EarlierQuestion | None:
        """The last question on a change."""
        return next((one for one in reversed(self.asked) if one.is_change), None)

    def thing(self) -> str:
        """What was spoken of last."""
        plain = (one.question for one in reversed(self.asked) if one.built is None)
        return next((subject for one in plain if (subject := subject_of(one))), "")


def plan_for(question: str) -> Plan | None:
    """The plan of any question on figures: by the catalogue, else by the words that name its rows."""
    plan = read_plan(question)
    if plan is not None and not any(lookup.segment for lookup in plan.lookups):
        return plan
    read, times = read_question(question), times_of(question)
    thing = subject_of(question) or read.text
    if read.operation in _OF_TWO and read.sides is not None:
        return joined_plans(
            _OF_TWO[read.operation], [plan_of_figure(side, times[0] if times else "") for side in read.sides]
        )
    if read.operation in _OVER_TIME and len(times) > 1:
        return plan_between(_OVER_TIME[read.operation], thing, sorted(times, key=year_in, reverse=True))
    if read.operation in _MOVES:
        return None
    return plan_of_figure(read.text, times[0] if len(times) == 1 else "")


def year_in(time: str) -> str:
    """What orders times: the year in each."""
    return max(re.findall(r"(?:19|20)\d\d", time), default=time)


def asks_for_change(message: str) -> bool:
    return _CHANGE.search(message) is not None


_LEAD = re.compile(r"^(?:(?:and|so|but|then|now|ok)[, ]++)*+(?:,? ?then,? )?", re.IGNORECASE)
_THEN = re.compile(r",? then,", re.IGNORECASE)
_SAID = (
    r"(?:(?:that|this|the|these|those|such|prior|previous|net|total|resulting|same) ){0,3}"
    r"(?:that|this|it|they|them|change|difference|increase|decrease|decline|growth|sum|total|result|quotient|ratio"
    r"|value|values|amount|amounts|number|product|average|variation|variance|figure)"
)
_NUMBER = r"\$?(\d[\d,]*+(?:\.\d++)?+)(?: million| thousand| billion)?"
_OPERATORS = {
    "times": Calculation.PRODUCT, "multiplied by": Calculation.PRODUCT, "divided by": Calculation.RATIO,
    "divide by": Calculation.RATIO, "over": Calculation.RATIO, "plus": Calculation.SUM, "less": Calculation.LESS,
    "minus": Calculation.LESS, "as a percentage of": Calculation.SHARE, "as a percent of": Calculation.SHARE,
    "as a share of": Calculation.SHARE, "as a portion of": Calculation.SHARE, "as a proportion of": Calculation.SHARE,
    "as part of": Calculation.SHARE,
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
    rf"(?:does|do|did|is|was|were|are) {_SAID}(?: (?:represent|make up|account for|comprise))?$"
)
_ASIDE = re.compile(r",? (?:in|as a) (?:percentage|percent|%|decimals?|terms of percentage)$")
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
_VALUE = frozenset(
    [
        "value",
        "amount",
        "one",
        "number",
        "total",
        "figure",
        "price",
        "balance",
        "cost",
        "rate",
        "sum",
        "ones",
        "values",
        "the",
        "this",
        "that",
        "those",
        "these",
        "of",
    ]
)


def plan_after(message: str, earlier: Earlier) -> Plan | None:
    """The plan of a message that calculates with what was answered; None where it does not."""
    asked = _plain(message)
    readings: tuple[Callable[[str, Earlier], Plan | None], ...] = (
        _worked_on,
        _related,
        _in_percent,
        _changed,
        _added_up,
    )
    return next((plan for read in readings if (plan := read(asked, earlier)) is not None), None)


def _plain(message: str) -> str:
    text = _THEN.sub("", _LEAD.sub("", " ".join(message.lower().split()).rstrip(" ?.")))
    return text.strip(" ,")


def _worked_on(asked: str, earlier: Earlier) -> Plan | None:
    """That times 100; this change divided by the 2015 value."""
    found = _ON.match(_ASIDE.sub("", asked))
    if found is None:
        return None
    operation = _OPERATORS[found[1]]
    number = re.fullmatch(_NUMBER, found[2])
    first = _meant(asked[: found.start(1)], earlier)
    if number is not None:
        return joined_plans(operation, [first.plan, number[1]]) if first.plan is not None else None
    return _of_both(operation, first, _level(found[2], earlier))


def _related(asked: str, earlier: Earlier) -> Plan | None:
    """How much does this change represent in relation to the 2015 value?"""
    plain = _ASIDE.sub("", asked)
    found = _RELATED.match(plain) or _PART_OF.match(plain)
    if found is None:
        return None
    first = _meant(plain[: found.start(1)], earlier)
    whole = _level(found[1], earlier)
    return None if whole == first else _of_both(Calculation.SHARE, first, whole)


def _meant(said: str, earlier: Earlier) -> EarlierQuestion:
    """What words that point back mean: the last change where they speak of one, else the last answer."""
    return (earlier.change() if asks_for_change(said) else None) or earlier.last


def _of_both(operation: Calculation, first: EarlierQuestion, second: EarlierQuestion | None) -> Plan | None:
    if second is None:
        return None
    if operation in (Calculation.RATIO, Calculation.SHARE) and (grown := _grown(first, second)) is not None:
        return grown
    plans = [one.plan for one in (first, second)]
    return joined_plans(operation, [plan for plan in plans if plan is not None]) if all(plans) else None


def _grown(moved: EarlierQuestion, since: EarlierQuestion) -> Plan | None:
    """A change as a part of what it began with is a change in per cent."""
    change, start = moved.plan, since.plan
    if not moved.is_change or change is None or start is None or len(change.lookups) != 2 or len(start.lookups) != 1:
        return None
    old, whole = min(change.lookups, key=lambda one: year_in(one.period)), start.lookups[0]
    one_thing = len({one.item for one in change.lookups}) == 1 and len(change.steps) == 1
    begins = bool(whole.period) and whole.periods == old.periods
    return (
        _in_growth(change)
        if one_thing and begins and set(sought(whole.item, frozenset())) <= set(terms(old.item))
        else None
    )


def _level(phrase: str, earlier: Earlier) -> EarlierQuestion | None:
    """What a phrase stands for: the 2015 value, total revenue in 2015, that total."""
    times = times_of(phrase)
    thing = re.sub(r"^(?:(?:the|this|that|those|these|its|their) )*+", "", subject_of(phrase))
    named = bool(thing) and not set(thing.lower().split()) <= _VALUE
    if not named and not times:
        said = [one for one in earlier.levels() if one != earlier.last]
        return said[-1] if said else None
    when = (times or times_of(earlier.last.question)[-1:] or [""])[-1]
    about = thing if named else earlier.thing()
    return EarlierQuestion(f"{about} {when}".strip(), plan_of_figure(about, when)) if about else None


def _in_percent(asked: str, earlier: Earlier) -> Plan | None:
    """So what was the percentage change?"""
    if _PERCENT.search(asked) is None or names_a_thing(asked):
        return None
    moved = earlier.change()
    if moved is not None and moved.built is not None:
        return _in_growth(moved.built)
    thing, times = _between_levels(asked, earlier)
    if moved is not None:
        thing, times = subject_of(moved.question), times_of(asked) or times_of(moved.question)
    if thing and times:
        times = [times[0], times[-1]] if len(times) > 1 else [times[0], year_before(times[0])]
        return plan_between(Calculation.GROWTH, thing, sorted(times, key=year_in, reverse=True))
    return None if moved is not None else _of_levels(Calculation.GROWTH, earlier)


def _in_growth(change: Plan) -> Plan:
    """The plan of a change, in per cent."""
    *before, last = change.steps
    return change.model_copy(update={"steps": [*before, last.model_copy(update={"operation": Calculation.GROWTH})]})


def _changed(asked: str, earlier: Earlier) -> Plan | None:
    """What was, then, the change over the years?"""
    if not asks_for_change(asked) or names_a_thing(asked) or _PERCENT.search(asked):
        return None
    thing, times = _between_levels(asked, earlier)
    if thing:
        return plan_between(Calculation.CHANGE, thing, sorted(times, key=year_in, reverse=True))
    return _of_levels(Calculation.CHANGE, earlier)


def _added_up(asked: str, earlier: Earlier) -> Plan | None:
    """What is the sum of those two? And the average of them?"""
    operation = Calculation.AVERAGE if _MEAN.search(asked) else Calculation.SUM if _ADDED.search(asked) else None
    if operation is None or names_a_thing(asked) or times_of(asked):
        return None
    told = _MANY.search(asked)
    return _of_levels(operation, earlier, _COUNTED[told[1]] if told is not None else 2)


def _of_levels(operation: Calculation, earlier: Earlier, count: int = 2) -> Plan | None:
    """A calculation on the last figures that were asked for."""
    plans = [plan for one in earlier.levels()[-count:] if (plan := one.plan) is not None]
    return joined_plans(operation, plans) if len(plans) == count else None


def _between_levels(asked: str, earlier: Earlier) -> tuple[str, list[str]]:
    """The thing of the two figures before and their times, where both are of one thing."""
    two = earlier.levels()[-2:]
    things = {subject_of(one.question).lower() for one in two}
    times = times_of(asked) or sorted({time for one in two for time in times_of(one.question)}, key=year_in)
    return (subject_of(two[-1].question), times) if len(things) == 1 and len(times) == 2 else ("", [])
