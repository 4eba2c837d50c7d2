"""How long a turn of a conversation can get at most."""

from docmind.domain.budget import Most
from docmind.domain.chat import ChatLimits
from docmind.skills.prompts import requests

_NODES_A_ROUND = 4
"""Retrieve, grade, generate and validate."""
_SIMPLE_STEPS = 4


def chat_bounds(limits: ChatLimits) -> Most:
    """The router and a rewrite, then rounds: the first and each retry, once more after each clarification.

    A message that looks for a place is read instead of rewritten, which takes no more.
    """
    stretches = 1 + limits.max_clarifications
    rounds, retries = stretches * (1 + limits.max_retries), stretches * limits.max_retries
    return Most(
        steps=2 + rounds * _NODES_A_ROUND + retries + limits.max_clarifications,
        requests=(
            requests("route", 1),
            requests("rewrite", 1),
            requests("another_query", retries),
            requests("grade_passages", rounds),
            requests("answer", rounds, calls=1),
            requests("check_claims", rounds, judged=True),
        ),
    )


def simple_bounds() -> Most:
    """Classify, retrieve, rerank and generate, which is judged; or classify and find a place, which takes no more."""
    asked = (requests("grade_passages", 1), requests("answer", 1, calls=1), requests("check_claims", 1, judged=True))
    return Most(steps=_SIMPLE_STEPS, requests=asked)
