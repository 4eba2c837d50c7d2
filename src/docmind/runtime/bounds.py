"""How long a run can get at most, computed from its settings before it starts, and whether that may be spent."""

from dataclasses import dataclass, replace

from docmind.domain.budget import Budget, Most, Price, Usage
from docmind.domain.errors import BudgetExhausted
from docmind.models.chat.model import MAX_TOKENS
from docmind.models.chat.roles import Roles
from docmind.settings import BudgetSettings


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most a run of a workflow can take."""

    steps: int
    """Nodes that can run."""
    model_calls: int = 0
    """Calls of chat models, retries included."""
    input_tokens: int = 0
    """Tokens that they read, as far as providers count them as we do."""
    output_tokens: int = 0
    """Tokens that they write."""
    cost: float | None = 0.0
    """At the prices that are set; None where one is not."""

    @classmethod
    def of(cls, most: Most, roles: Roles) -> "Bounds":
        """The bounds of a workflow with these models."""
        taken = roles.most(most.requests)
        return cls(most.steps, taken.model_calls, taken.input_tokens, taken.output_tokens, taken.cost)


def budget_of(bounds: Bounds, allowed: BudgetSettings, *, workflow: str, price: Price | None = None) -> Budget:
    """The limits of a run, with the call that writes the answer kept back; what cannot fit is refused.

    What calls might come to is known before the run. Tokens, time and cost are mostly far less than they might be: the
    meter lets no call in that would pass what is left of them.
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
