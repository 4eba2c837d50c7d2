"""How long a run can get at most, computed from its settings before it starts."""

from dataclasses import dataclass

from docmind.models import structured


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most a run of a workflow can take."""

    steps: int
    """Nodes that can run."""
    model_calls: int
    """Calls of chat models, retries included."""


def docs_bounds(*, max_hallucinations: int, calls_each: int) -> Bounds:
    """Decompose, then at most so many rounds of retrieve, generate and judge, then output.

    `calls_each` is how many calls one request to the chat model can make; 0 where there is no model.
    """
    rounds = max(1, max_hallucinations)
    return Bounds(
        steps=1 + 3 * rounds + 1,
        model_calls=structured.MOST_CALLS * calls_each + rounds * calls_each,
    )
