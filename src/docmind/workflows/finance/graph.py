"""The finance workflow, wired on one page: three graphs in one."""

from langgraph.graph import END, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.workflows.finance.analysis import build_analysis_agent
from docmind.workflows.finance.bounds import RECURSION_LIMIT
from docmind.workflows.finance.edges import unless_failed
from docmind.workflows.finance.generation import build_generation_agent
from docmind.workflows.finance.retrieval import build_retrieval_agent
from docmind.workflows.finance.state import FinanceState
from docmind.workflows.services import Services

Graph = CompiledStateGraph[FinanceState, Services, FinanceState, FinanceState]


def build_finance_graph(*, checkpointer: Checkpointer = None) -> Graph:
    """The compiled graph; `{"configurable": {"thread_id": session_id}}` names the conversation."""
    builder = StateGraph(FinanceState, context_schema=Services)

    builder.add_node("retrieval_agent", build_retrieval_agent())
    builder.add_node("analysis_agent", build_analysis_agent())
    builder.add_node("generation_agent", build_generation_agent())

    builder.set_entry_point("retrieval_agent")
    builder.add_conditional_edges("retrieval_agent", unless_failed, {"success": "analysis_agent", "error": END})
    builder.add_conditional_edges("analysis_agent", unless_failed, {"success": "generation_agent", "error": END})
    builder.add_edge("generation_agent", END)
    return builder.compile(checkpointer=checkpointer).with_config(recursion_limit=RECURSION_LIMIT)
