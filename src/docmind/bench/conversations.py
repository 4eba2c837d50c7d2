"""Conversations up to their last question, put to the chat workflow as if they had been held with it."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from docmind.domain.scope import Scope
from docmind.memory.checkpoints import plain_data
from docmind.runtime.engine import DocMind
from docmind.workflows.chat.edges import chat_bounds
from docmind.workflows.chat.graph import build_chat_graph
from docmind.workflows.chat.state import next_turn

Decision = Literal["answer", "refuse", "clarify"]


@dataclass(frozen=True, slots=True)
class Turn:
    """The last question of a conversation, and what should come of it."""

    question: str
    before: tuple[tuple[str, str], ...]
    """Who spoke, `user` or `agent`, and what was said."""
    scope: Scope
    """Where the passages of all conversations on the same collection are."""
    wanted: Decision
    relevant: frozenset[str] = frozenset()
    """Files that hold the answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    decision: Decision
    understood: str
    """The question as it was searched for."""
    milliseconds: float


def reply_to(turn: Turn, engine: DocMind) -> Reply:
    """What the chat workflow does about the turn, which knows what was said before by whoever said it."""
    services = engine.services(turn.scope)
    graph = build_chat_graph(limits=services.chat, checkpointer=InMemorySaver(serde=plain_data()))
    given: Any = {**next_turn(turn.question), "messages": [_message(*said) for said in turn.before]}
    most = chat_bounds(services.chat)
    config: RunnableConfig = {"configurable": {"thread_id": "t"}, "recursion_limit": most.steps + 1}
    begun = time.perf_counter()
    state = asyncio.run(graph.ainvoke(given, config, context=services))
    milliseconds = (time.perf_counter() - begun) * 1000
    return Reply(_decision(state), state.get("question") or turn.question, milliseconds)


def _message(speaker: str, text: str) -> BaseMessage:
    return HumanMessage(text) if speaker == "user" else AIMessage(text)


def _decision(state: dict[str, Any]) -> Decision:
    """Asking which one is meant is a question; saying that there is no answer, with an offer to look again, is none."""
    if waiting := state.get("__interrupt__"):
        return "refuse" if waiting[0].value.get("gave_up") else "clarify"
    return "answer" if state.get("grounded") else "refuse"
