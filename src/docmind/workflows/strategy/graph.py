"""The strategy workflow, wired on one page."""

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.workflows.services import Services
from docmind.workflows.strategy.edges import route_from_researcher, route_from_supervisor
from docmind.workflows.strategy.nodes import critic_node, evaluator_node, researcher_node, synthesizer_node
from docmind.workflows.strategy.state import MASISState
from docmind.workflows.strategy.supervisor import supervisor_node

Graph = CompiledStateGraph[MASISState, Services, MASISState, MASISState]


def build_strategy_graph(*, checkpointer: Checkpointer = None) -> Graph:
    """The compiled graph: `await graph.ainvoke(MASISInput(...).to_state())`."""
    builder = StateGraph(MASISState, context_schema=Services)

    builder.add_node("supervisor", supervisor_node)
    builder.add_node("researcher", researcher_node)
    builder.add_node("synthesizer", synthesizer_node)
    builder.add_node("critic", critic_node)
    builder.add_node("evaluator", evaluator_node)

    builder.set_entry_point("supervisor")
    builder.add_conditional_edges(
        "supervisor", route_from_supervisor, {"first_run": "researcher", "retry": "researcher", "end": END}
    )
    builder.add_conditional_edges(
        "researcher", route_from_researcher, {"evidence": "synthesizer", "nothing": "supervisor"}
    )
    builder.add_edge("synthesizer", "critic")
    builder.add_edge("critic", "evaluator")
    builder.add_edge("evaluator", "supervisor")
    return builder.compile(checkpointer=checkpointer)
