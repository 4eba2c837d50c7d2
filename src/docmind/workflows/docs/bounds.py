"""How long a run of the docs workflow can get at most."""

from docmind.domain.budget import Most
from docmind.skills.prompts import requests


def docs_bounds(*, max_hallucinations: int) -> Most:
    """Decompose, then at most so many rounds of retrieve, generate and judge, then output."""
    rounds = max(1, max_hallucinations)
    asked = (
        requests("decompose", 1),
        requests("answer", rounds, calls=1),
        requests("check_claims", rounds, judged=True),
    )
    return Most(steps=1 + 3 * rounds + 1, requests=asked)
