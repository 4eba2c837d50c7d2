"""Makes messages fit the room of a call: what a model is shown is cut before what it is asked."""

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from docmind.models.chat.model import Message, Schema, estimate_tokens

_CUT = " […]\n\n"
_AROUND_A_MESSAGE = 16
"""Tokens that a provider may put around a message to tell whose it is."""


def input_tokens(messages: Sequence[Message], schema: Schema | None = None) -> int:
    """How many tokens a model reads of them, at most; some providers count a schema as a part of the prompt."""
    written = json.dumps(schema, ensure_ascii=False) if schema is not None else ""
    return estimate_tokens(written, *(one.content for one in messages)) + _AROUND_A_MESSAGE * len(messages)


def fitted(messages: Sequence[Message], most: int | None, schema: Schema | None = None) -> tuple[Message, ...]:
    """The messages within so many tokens: cut above their kept ends, then also there, the instructions last."""
    found = list(messages)
    order = sorted(range(len(found)), key=lambda at: (found[at].role == "system", -len(found[at].content)))
    for keep in (True, False):
        for at in order:
            over = 0 if most is None else input_tokens(found, schema) - most
            if over <= 0:
                return tuple(found)
            if found[at].kept or not keep:
                found[at] = _shorter(found[at], over, keep=keep)
    return tuple(found)


def _shorter(message: Message, over: int, *, keep: bool) -> Message:
    """The message without its end, or without what stands above its kept end, until so many tokens are gone."""
    end = len(message.content) - message.kept if keep else len(message.content)
    tail = message.content[end:]
    most = estimate_tokens(message.content) - over
    room = range(end + 1)
    length = bisect_right(room, most, key=lambda length: estimate_tokens(message.content[:length] + _CUT + tail)) - 1
    if length < 0:
        return replace(message, content=tail)
    return replace(message, content=message.content[:length] + _CUT + tail)
