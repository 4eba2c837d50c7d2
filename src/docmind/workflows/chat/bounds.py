"""How long a turn of a conversation can get at most."""

from typing import NamedTuple

from docmind.domain.chat import ChatLimits
from docmind.models import structured

_NODES_A_ROUND = 4
"""Retrieve, grade, generate and validate."""
_SIMPLE_STEPS = 4


class Most(NamedTuple):
    steps: int
    model_calls: int


def chat_bounds(limits: ChatLimits, *, calls_each: int, judge_calls_each: int = 0) -> Most:
    """The router and a rewrite, then rounds: the first and each retry, once more after each clarification.

    `calls_each` is how many calls one request to the writer can make, `judge_calls_each` how many one to the judging
    model; 0 where there is none. A place is asked for at most as often as anything else.
    """
    stretches = 1 + limits.max_clarifications
    rounds, retries = stretches * (1 + limits.max_retries), stretches * limits.max_retries
    asked = structured.MOST_CALLS * calls_each
    return Most(
        steps=2 + rounds * _NODES_A_ROUND + retries + limits.max_clarifications,
        model_calls=(2 + retries + rounds) * asked + rounds * (calls_each + structured.MOST_CALLS * judge_calls_each),
    )


def simple_bounds(*, calls_each: int, judge_calls_each: int = 0) -> Most:
    """Classify, retrieve, rerank and generate, which is judged; or classify and find a place."""
    asked = structured.MOST_CALLS * (calls_each + judge_calls_each)
    return Most(steps=_SIMPLE_STEPS, model_calls=asked + calls_each)
