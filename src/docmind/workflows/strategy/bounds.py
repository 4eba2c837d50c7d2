"""How long a strategy run can get at most."""

from docmind.domain.budget import Most
from docmind.skills.prompts import requests

_NODES_A_ROUND = 5
"""Researcher, synthesizer, critic, evaluator, and the supervisor that decides what comes next."""


def strategy_bounds(*, max_retries: int) -> Most:
    """The first draft, its retries, and one more draft after a person has settled what sources disagree on.

    The judging model criticises and evaluates every draft.
    """
    rounds = 1 + max_retries + 1
    judged = (requests(task, rounds, judged=True) for task in ("audit", "evaluate"))
    return Most(steps=1 + _NODES_A_ROUND * rounds, requests=(requests("board_answer", rounds, calls=1), *judged))
