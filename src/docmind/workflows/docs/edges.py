"""Where the docs workflow goes after the judge, and how long a run can get at most."""

import logging
from typing import Literal

from docmind.domain.budget import Most
from docmind.skills.prompts import requests
from docmind.workflows.docs.state import DocMindState

MAX_HALLUCINATIONS = 2
_log = logging.getLogger(__name__)


def should_retry(state: DocMindState, *, limit: int = MAX_HALLUCINATIONS) -> Literal["retry", "output"]:
    """Look again while a draft says what the sections do not, at most `limit` drafts in all."""
    verdict = state.get("judge_verdict")
    drafts = state.get("retry_count", 0)
    if verdict and verdict["is_hallucinated"] and drafts < limit:
        log_retry_attempt(drafts + 1, limit)
        return "retry"
    return "output"


def log_retry_attempt(attempt: int, most: int) -> None:
    """Tell whoever reads the log that a draft is written again."""
    _log.info("The draft says what its sections do not: attempt %d of %d.", attempt, most)


def docs_bounds(*, max_hallucinations: int) -> Most:
    """Decompose, then at most so many rounds of retrieve, generate and judge, then output."""
    rounds = max(1, max_hallucinations)
    asked = (
        requests("decompose", 1),
        requests("answer", rounds, calls=1),
        requests("check_claims", rounds, judged=True),
    )
    return Most(steps=1 + 3 * rounds + 1, requests=asked)
