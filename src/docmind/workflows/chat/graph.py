"""The two graphs of the chat workflow, each wired as it is drawn."""

from functools import partial

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from docmind.domain.limits import ChatLimits
from docmind.workflows.chat import nodes, simple
from docmind.workflows.chat.edges import (
    LIMITS,
    route_after_classify,
    route_after_grading,
    route_after_router,
    route_after_validation,
)
from docmind.workflows.chat.location import location_node
from docmind.workflows.chat.state import AgentState
from docmind.workflows.chat.validation import validate_node
from docmind.workflows.services import Services

Graph = CompiledStateGraph[AgentState, Services, AgentState, AgentState]


def build_chat_graph(*, limits: ChatLimits = LIMITS, checkpointer: Checkpointer = None) -> Graph:
    """The conversation: routed, graded, validated, with a person in the loop. It needs a checkpointer to ask one."""
    builder = StateGraph(AgentState, context_schema=Services)

    builder.add_node("router", nodes.router_node)
    builder.add_node("rewrite", nodes.rewrite_node)
    builder.add_node("retrieve", nodes.retrieve_node)
    builder.add_node("grade", nodes.grade_node)
    builder.add_node("rewrite_retry", partial(nodes.retry_node, name="rewrite_retry"))
    builder.add_node("generate", partial(nodes.generate_node, name="generate"))
    builder.add_node("generate_caveat", partial(nodes.generate_node, name="generate_caveat"))
    builder.add_node("validate", validate_node)
    builder.add_node("rewrite_final", partial(nodes.retry_node, name="rewrite_final"))
    builder.add_node("clarify", partial(nodes.clarify_node, name="clarify"))
    builder.add_node("clarify_final", partial(nodes.clarify_node, name="clarify_final"))
    builder.add_node("location", location_node)

    builder.add_edge(START, "router")
    builder.add_conditional_edges("router", route_after_router)
    builder.add_edge("rewrite", "retrieve")
    builder.add_edge("clarify", "retrieve")
    builder.add_edge("retrieve", "grade")
    builder.add_conditional_edges(
        "grade", partial(route_after_grading, limits=limits), ["generate", "rewrite_retry", "generate_caveat"]
    )
    builder.add_edge("rewrite_retry", "retrieve")
    builder.add_edge("generate", "validate")
    builder.add_edge("generate_caveat", "validate")
    builder.add_conditional_edges(
        "validate",
        partial(route_after_validation, limits=limits),
        {"end": END, "rewrite_final": "rewrite_final", "clarify_final": "clarify_final"},
    )
    builder.add_edge("rewrite_final", "retrieve")
    builder.add_edge("clarify_final", "retrieve")
    builder.add_edge("location", END)
    return builder.compile(checkpointer=checkpointer)


def build_simple_graph(*, checkpointer: Checkpointer = None) -> Graph:
    """One question, one pass, nothing remembered."""
    builder = StateGraph(AgentState, context_schema=Services)

    builder.add_node("classify", simple.classify_node)
    builder.add_node("retrieve", nodes.retrieve_node)
    builder.add_node("rerank", simple.rerank_node)
    builder.add_node("generate", simple.generate_node)
    builder.add_node("location", simple.location_node)

    builder.add_edge(START, "classify")
    builder.add_conditional_edges("classify", route_after_classify)
    builder.add_edge("retrieve", "rerank")
    builder.add_edge("rerank", "generate")
    builder.add_edge("generate", END)
    builder.add_edge("location", END)
    return builder.compile(checkpointer=checkpointer)
