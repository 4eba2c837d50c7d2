"""What a run spends on chat models, and what it may: bounded before it starts, with something kept for the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of chat models took. Usages add up; nothing spent is `Usage()`."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    """Spent waiting for models; of calls that run side by side, each counts."""
    cost: float | None = 0.0
    """None when the price of any call in it is unknown: an unknown sum must not pass for a small one."""

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.model_calls + other.model_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            None if self.cost is None or other.cost is None else self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Price:
    """What a provider charges, in the currency the budget counts in."""

    input_per_million: float
    output_per_million: float

    def of(self, usage: Usage) -> float:
        return (usage.input_tokens * self.input_per_million + usage.output_tokens * self.output_per_million) / 1e6


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on a whole run; None lifts one.

    Calls that look for evidence or judge it must leave `reserve` untouched, so that a run that reaches its bound can
    still write its answer. The call that writes the answer may use all that is left.
    """

    calls: int | None = None
    tokens: int | None = None
    seconds: float | None = None
    cost: float | None = None
    reserve: Usage = Usage(model_calls=1)

    def excess(self, usage: Usage) -> str | None:
        """The limit that a run with this usage would pass, in words; None while it is within all of them."""
        if self.calls is not None and usage.model_calls > self.calls:
            return f"{self.calls} model calls"
        if self.tokens is not None and usage.tokens > self.tokens:
            return f"{self.tokens} tokens"
        if self.seconds is not None and usage.seconds >= self.seconds:
            return f"{self.seconds:g} seconds of model time"
        if self.cost is not None and usage.cost is None:
            return f"a cost of {self.cost:g}, which cannot be watched because the model's price is not known"
        if self.cost is not None and usage.cost is not None and usage.cost > self.cost:
            return f"a cost of {self.cost:g}"
        return None


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests of one kind that a run can make to a chat model, and the most that each takes."""

    times: int
    output_tokens: int
    """Tokens that the model may write each time."""
    input_tokens: int | None = None
    """Tokens that it is shown each time; None where only the limit on every prompt holds."""
    calls: int = 1
    """Calls that one request takes where none fails: a reply of the wrong shape is asked for again."""
    judged: bool = False
    """Whether the judging model is asked, and not the one that writes."""


class Most(NamedTuple):
    """The most that a run of a workflow does: nodes that run, and what chat models are asked."""

    steps: int
    requests: Sequence[Requests] = ()

    def calls(self, *, writer: int = 0, judge: int = 0) -> int:
        """Model calls, where each that a request takes is made so often, and 0 where there is no such model."""
        return sum(one.times * one.calls * (judge if one.judged else writer) for one in self.requests)
