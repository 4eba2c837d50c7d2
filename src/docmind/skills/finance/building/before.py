"""What was asked before, as the questions that build on it see it: figures, changes, and the thing spoken of."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.skills.finance.composed import Operator, read_composed
from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.subject import subject_of

_MOVES = (Operation.DIFFERENCE, Operation.GROWTH, Operation.CAGR)
_CHANGE = re.compile(
    r"\b(?:change|changed|difference|increase|increased|decrease|decreased|decline|variance|fluctuation|grow)\b"
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
        return next((one for one in reversed(self.questions) if is_move(one)), "")

    def thing(self) -> str:
        """What was spoken of last."""
        plain = (one for one in reversed(self.questions) if read_composed(one) is None)
        return next((subject for one in plain if (subject := subject_of(one))), "")


def is_move(question: str) -> bool:
    made = read_composed(question)
    return made.operator is Operator.LESS if made is not None else operation_of(question) is Operation.DIFFERENCE


def year(time: str) -> str:
    """What orders times: the year in each."""
    return max(re.findall(r"(?:19|20)\d\d", time), default=time)


def asks_for_change(asked: str) -> bool:
    return _CHANGE.search(asked) is not None
