"""Where the docs workflow goes after the judge."""

from typing import Literal

from docmind.workflows.docs.state import DocMindState

MAX_HALLUCINATIONS = 2


def should_retry(state: DocMindState, *, limit: int = MAX_HALLUCINATIONS) -> Literal["retry", "output"]:
    """Look again while a draft says what the sections do not, at most `limit` drafts in all."""
    verdict = state.get("judge_verdict")
    if verdict and verdict["is_hallucinated"] and state.get("retry_count", 0) < limit:
        return "retry"
    return "output"
