"""A workflow's graph as a picture that says of every branch when it is taken."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from langchain_core.runnables.graph import Graph as Drawn
from langchain_core.runnables.graph import NodeStyles
from langgraph.graph.state import CompiledStateGraph

from docmind.runtime.workflows import Graph

# The colour of the words goes with that of the box: a dark page would choose light ones.
_STYLES = NodeStyles(
    default="fill:#f2f0ff,color:#1f1b2e,line-height:1.2",
    first="fill:#ffffff,color:#1f1b2e",
    last="fill:#bfb6fc,color:#1f1b2e",
)


def mermaid(graph: Graph) -> str:
    """The graph with those inside it as a Mermaid diagram."""
    drawn = graph.get_graph(xray=True)
    # LangGraph draws one edge where several ways lead to one node, and labels it with one of them.
    ways = {edge: " or ".join(labels) for edge, labels in _ways(graph).items() if len(labels) > 1}
    edges = [edge._replace(data=ways.get((edge.source, edge.target), edge.data)) for edge in drawn.edges]
    return Drawn(drawn.nodes, edges).draw_mermaid(node_colors=_STYLES)


def _ways(graph: Graph) -> Mapping[tuple[str, str], list[str]]:
    """By source and target, the names under which a router leads from one to the other."""
    found = defaultdict(list)
    for prefix, each in _graphs(graph):
        for source, branches in each.builder.branches.items():
            for branch in branches.values():
                for label, target in (branch.ends or {}).items():
                    found[f"{prefix}{source}", f"{prefix}{target}"].append(str(label))
    return found


def _graphs(graph: Graph) -> Iterator[tuple[str, Graph]]:
    """The graph and those that are nodes of it, with what LangGraph puts before the names of their nodes."""
    yield "", graph
    for name, inner in graph.get_subgraphs():
        if isinstance(inner, CompiledStateGraph):
            yield f"{name}:", inner
