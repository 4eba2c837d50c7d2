"""Where the docs workflow goes after the judge."""

import logging
from typing import Literal

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
