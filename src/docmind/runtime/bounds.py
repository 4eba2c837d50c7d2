"""A workflow described before it runs: its graph, the most that a run of it takes, and whether that may be spent."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from docmind.domain.budget import Budget, Most, Price, Usage
from docmind.domain.errors import BudgetExhausted
from docmind.models.chat.model import MAX_TOKENS
from docmind.models.chat.roles import Roles
from docmind.settings import BudgetSettings

if TYPE_CHECKING:
    from docmind.runtime.workflows import Graph, Workflow


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


class Node(BaseModel):
    id: Annotated[str, Field(examples=["retrieve"])]
    label: Annotated[str, Field(description="What a run calls it when it tells what it does.", examples=["retrieve"])]
    group: Annotated[str | None, Field(description="The graph within the graph that it belongs to.")]


class Edge(BaseModel):
    source: str
    target: str
    conditional: bool


class WorkflowDescription(BaseModel):
    """A workflow for whoever chooses one or draws it."""

    name: Annotated[str, Field(examples=["docs"])]
    title: Annotated[str, Field(examples=["Documents"])]
    description: str
    converses: Annotated[bool, Field(description="Whether its runs may belong to a thread.")]
    mode_of: Annotated[str | None, Field(description="The workflow that this is another mode of.")]
    nodes: list[Node]
    edges: list[Edge]
    most_steps: int
    most_model_calls: int
    most_input_tokens: Annotated[int, Field(description="Tokens that chat models read.")]
    most_output_tokens: Annotated[int, Field(description="Tokens that they write.")]
    most_cost: Annotated[float | None, Field(description="At the prices that are set; null where one is not.")]


def describe(workflow: "Workflow", graph: "Graph", bounds: "Bounds") -> WorkflowDescription:
    drawn = graph.get_graph(xray=True)
    return WorkflowDescription(
        name=workflow.name,
        title=workflow.title,
        description=workflow.about,
        converses=workflow.converses,
        mode_of=workflow.mode_of,
        nodes=[_node(identifier) for identifier in drawn.nodes],
        edges=[Edge(source=edge.source, target=edge.target, conditional=edge.conditional) for edge in drawn.edges],
        most_steps=bounds.steps,
        most_model_calls=bounds.model_calls,
        most_input_tokens=bounds.input_tokens,
        most_output_tokens=bounds.output_tokens,
        most_cost=bounds.cost,
    )


def _node(identifier: str) -> Node:
    group, _, label = identifier.rpartition(":")
    return Node(id=identifier, label=label, group=group or None)
