"""How long a finance run can get at most; read before any of the graph is loaded."""

from docmind.domain.budget import Most
from docmind.skills.prompts import requests

MAX_RETRIEVALS = 3
MAX_SELF_HEALS = 2
RECURSION_LIMIT = 15
"""Steps that the graph and each of its three agents may take; each counts its own."""


_RETRIEVAL = 1 + 2 * MAX_RETRIEVALS + (MAX_RETRIEVALS - 1)
_ANALYSIS = 2
_GENERATION = 1 + 2 * (1 + MAX_SELF_HEALS) + MAX_SELF_HEALS + 1
_WRITTEN = 2
"""Texts that a chat model is asked for: the first, and the one that heals it. The next one is told by code."""


def finance_bounds() -> Most:
    """The plan, every retrieval and every heal. Where no figure answers, words are drafted as in the docs workflow."""
    asked = (
        requests("plan_figures", 1),
        requests("answer", _WRITTEN, calls=1),
        requests("check_context", MAX_RETRIEVALS - 1, judged=True),
        requests("check_claims", 1 + MAX_SELF_HEALS, judged=True),
    )
    return Most(steps=_RETRIEVAL + _ANALYSIS + _GENERATION, requests=asked)
