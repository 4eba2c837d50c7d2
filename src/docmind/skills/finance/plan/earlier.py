"""What was asked before, as follow-ups that calculate with it see it: figures, changes, and the thing spoken of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.skills.finance.operations import Operation
from docmind.skills.finance.plan.composition import between, figure, joined
from docmind.skills.finance.plan.plan import Calculation, Plan
from docmind.skills.finance.plan.rule_planner import read_plan
from docmind.skills.finance.question import read_question
from docmind.skills.finance.subject import subject_of, times_of

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
        return joined(_OF_TWO[read.operation], [figure(side, times[0] if times else "") for side in read.sides])
    if read.operation in _OVER_TIME and len(times) > 1:
        return between(_OVER_TIME[read.operation], thing, sorted(times, key=year, reverse=True))
    if read.operation in _MOVES:
        return None
    return figure(read.text, times[0] if len(times) == 1 else "")


def year(time: str) -> str:
    """What orders times: the year in each."""
    return max(re.findall(r"(?:19|20)\d\d", time), default=time)


def asks_for_change(message: str) -> bool:
    return _CHANGE.search(message) is not None
