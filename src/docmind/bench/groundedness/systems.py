"""The systems that are measured beside each other, in the order of the table."""

from docmind.bench.groundedness.baselines import Cosine, always, coverage
from docmind.bench.groundedness.checking import Checker
from docmind.models.embedding import open_embedder


def systems(embedder: str) -> dict[str, Checker]:
    """By name; failures are told of the first."""
    return {"coverage": coverage, "cosine": Cosine(open_embedder(embedder)), "always": always}
