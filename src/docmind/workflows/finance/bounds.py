"""How long a finance run can get at most."""

from typing import NamedTuple

from docmind.models import structured
from docmind.workflows.finance.edges import MAX_RETRIEVALS, MAX_SELF_HEALS

RECURSION_LIMIT = 15
"""Steps that the graph and each of its three agents may take; each counts its own."""
_RETRIEVAL = 1 + 2 * MAX_RETRIEVALS + (MAX_RETRIEVALS - 1)
_ANALYSIS = 2
_GENERATION = 1 + 2 * (1 + MAX_SELF_HEALS) + MAX_SELF_HEALS + 1
_WRITTEN = 2
"""Texts that a chat model is asked for: the first, and the one that heals it. The next one is told by code."""


class Most(NamedTuple):
    steps: int
    model_calls: int


def finance_bounds(*, calls_each: int, judge_calls_each: int = 0) -> Most:
    """The plan, every retrieval and every heal. `calls_each` is how many calls one request to the chat model can make,
    `judge_calls_each` how many one to the judging model."""
    asked = (MAX_RETRIEVALS - 1) + (1 + MAX_SELF_HEALS)
    judged = asked * structured.MOST_CALLS * judge_calls_each
    written = (structured.MOST_CALLS + _WRITTEN) * calls_each
    return Most(steps=_RETRIEVAL + _ANALYSIS + _GENERATION, model_calls=written + judged)
