"""What every node of a conversation leaves behind: its entry in the trace of the turn."""

from typing import Any

from docmind.workflows.chat.state import AgentState, AgentUpdate


def noted(state: AgentState, event: dict[str, Any]) -> AgentUpdate:
    return {"trace": [*(state.get("trace") or []), event]}
