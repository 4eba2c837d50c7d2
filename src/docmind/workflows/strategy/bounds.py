"""How long a strategy run can get at most."""

from typing import NamedTuple

from docmind.models import structured

_NODES_A_ROUND = 5
"""Researcher, synthesizer, critic, evaluator, and the supervisor that decides what comes next."""


class Most(NamedTuple):
    steps: int
    model_calls: int


def strategy_bounds(*, max_retries: int, calls_each: int, judge_calls_each: int = 0) -> Most:
    """The first draft, its retries, and one more draft after a person has settled what sources disagree on.

    `calls_each` is how many calls one request to the writer can make, `judge_calls_each` how many one to the judging
    model, which criticises and evaluates every draft; 0 where there is none.
    """
    rounds = 1 + max_retries + 1
    judged = 2 * structured.MOST_CALLS * judge_calls_each
    return Most(steps=1 + _NODES_A_ROUND * rounds, model_calls=rounds * (calls_each + judged))
