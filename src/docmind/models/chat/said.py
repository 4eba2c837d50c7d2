"""A LangChain message as a reply of ours: its text, whether it was cut off, and what it took."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from docmind.domain.budget import Usage
from docmind.models.chat.model import Reply, estimate_tokens

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage

# Where providers say why they stopped, and what they say when the tokens had run out.
_STOPPED = ("finish_reason", "stop_reason", "done_reason", "stopReason")
_OUT_OF_TOKENS = frozenset({"length", "max_tokens", "model_length"})


def read_reply(message: "AIMessage", sent: Sequence[tuple[str, str]]) -> Reply:
    metadata = message.response_metadata
    stopped = {str(metadata.get(key)).lower() for key in _STOPPED}
    text = _text(message)
    return Reply(text, _usage(message, text, sent), truncated=not stopped.isdisjoint(_OUT_OF_TOKENS))


def _text(message: "AIMessage") -> str:
    """Some providers keep to a schema by a tool call: its arguments are the object that was asked for."""
    if not message.text and message.tool_calls:
        return json.dumps(message.tool_calls[0]["args"], ensure_ascii=False)
    return str(message.text)


def _usage(message: "AIMessage", text: str, sent: Sequence[tuple[str, str]]) -> Usage:
    told = message.usage_metadata
    if told is None:
        read = estimate_tokens(*(content for _, content in sent))
        return Usage(1, read, estimate_tokens(text), cost=None)
    return Usage(1, told["input_tokens"], told["output_tokens"], cost=_cost(message.response_metadata))


def _cost(metadata: dict[str, Any]) -> float | None:
    """What the provider says the call cost; routers of many models do, others do not."""
    cost = (metadata.get("token_usage") or {}).get("cost")
    return float(cost) if isinstance(cost, int | float) else None
