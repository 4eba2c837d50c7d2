"""How long a run can get at most, computed from its settings before it starts, and whether that may be spent."""

from dataclasses import dataclass, replace

from docmind.domain.budget import Budget, Price, Usage
from docmind.domain.errors import BudgetExhausted
from docmind.models import structured
from docmind.models.chat.model import MAX_TOKENS
from docmind.settings import BudgetSettings


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most a run of a workflow can take."""

    steps: int
    """Nodes that can run."""
    model_calls: int
    """Calls of chat models, retries included."""


def docs_bounds(*, max_hallucinations: int, calls_each: int, judge_calls_each: int = 0) -> Bounds:
    """Decompose, then at most so many rounds of retrieve, generate and judge, then output.

    `calls_each` is how many calls one request to the chat model can make, `judge_calls_each` how many one to the
    judging model; 0 where there is none.
    """
    rounds = max(1, max_hallucinations)
    return Bounds(
        steps=1 + 3 * rounds + 1,
        model_calls=structured.MOST_CALLS * (calls_each + rounds * judge_calls_each) + rounds * calls_each,
    )


def budget_of(bounds: Bounds, allowed: BudgetSettings, *, workflow: str, price: Price | None = None) -> Budget:
    """The limits of a run, with the call that writes the answer kept back; what cannot fit is refused.

    Calls are counted before the run. Tokens, time and cost are known only as it goes on: the meter lets no call
    in that would pass what is left of them.
    """
    if allowed.calls is not None and bounds.model_calls > allowed.calls:
        raise BudgetExhausted(
            f"The {workflow} workflow can take {bounds.model_calls} model calls with these settings, and "
            f"DOCMIND_BUDGET__CALLS allows {allowed.calls}. Allow as many, or lower DOCMIND_MODELS__ATTEMPTS."
        )
    answer = Usage(model_calls=1, output_tokens=MAX_TOKENS)
    if price is not None:
        answer = replace(answer, cost=price.of(answer))
    # The bound counts the answer's call too; kept back within it, it would be missed by who judges the last answer.
    budget = Budget(bounds.model_calls + 1, allowed.tokens, allowed.seconds, allowed.cost, reserve=answer)
    limit = budget.excess(answer) if bounds.model_calls else None
    if limit is not None:
        raise BudgetExhausted(f"A limit of {limit} leaves no room for the one call that writes an answer.")
    return budget
