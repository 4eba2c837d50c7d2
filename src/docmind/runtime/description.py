"""A workflow described: what it is for, the graph it is, and the most that a run of it takes."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

if TYPE_CHECKING:
    from docmind.runtime.bounds import Bounds
    from docmind.runtime.workflows import Graph, Workflow


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
