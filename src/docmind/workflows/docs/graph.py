"""The docs workflow, wired on one page."""

from functools import partial

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.workflows.docs.edges import MAX_HALLUCINATIONS, should_retry
from docmind.workflows.docs.nodes import decompose_node, generate_node, judge_node, output_node, retrieve_node
from docmind.workflows.docs.state import DocMindState
from docmind.workflows.services import Services

Graph = CompiledStateGraph[DocMindState, Services, DocMindState, DocMindState]


def build_graph_workflow(*, max_hallucinations: int = MAX_HALLUCINATIONS, checkpointer: Checkpointer = None) -> Graph:
    """The compiled graph: `await graph.ainvoke(initial_state)`."""
    workflow = StateGraph(DocMindState, context_schema=Services)

    workflow.add_node("decompose", decompose_node)
    workflow.add_node("retrieve", retrieve_node)
    workflow.add_node("generate", generate_node)
    workflow.add_node("judge", judge_node)
    workflow.add_node("output", output_node)

    workflow.set_entry_point("decompose")
    workflow.add_edge("decompose", "retrieve")
    workflow.add_edge("retrieve", "generate")
    workflow.add_edge("generate", "judge")
    workflow.add_conditional_edges(
        "judge", partial(should_retry, limit=max_hallucinations), {"retry": "retrieve", "output": "output"}
    )
    workflow.add_edge("output", END)
    return workflow.compile(checkpointer=checkpointer)
