"""The seam every chat model fits: messages in, cut to its room, text out, and what it took."""

import json
import re
from bisect import bisect_right
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol

from docmind.domain.budget import Price, Usage

Schema = Mapping[str, Any]
"""A JSON schema with a title, as pydantic writes one."""

MAX_TOKENS = 1024
"""Room for a long answer. Every call has a limit, or no run could be bounded."""
PROMPT_TOKENS = 12_000
"""The most tokens that one call shows to a model, unless told otherwise."""
_SIGNS = re.compile(r"[0-9!-/:-@\[-`{-~]")


class Room(NamedTuple):
    """The most tokens that one call writes and reads; None where only the limit on every prompt holds."""

    written: int = MAX_TOKENS
    read: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str
    kept: int = 0
    """Characters at its end that are cut last where all is too long: the question, below what is shown for it."""

    @classmethod
    def user(cls, shown: str, asked: str) -> "Message":
        """What a person asks of what is shown."""
        return cls("user", f"{shown}\n\n{asked}", kept=len(asked))


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said."""

    text: str
    usage: Usage
    truncated: bool = False
    """It stopped because its tokens ran out, not because it had finished."""


class ChatModel(Protocol):
    """Answers messages, or raises `ModelError`."""

    @property
    def name(self) -> str:
        """Identifies the model: recorded replies are found again by it."""
        ...

    @property
    def price(self) -> Price | None: ...

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int = MAX_TOKENS
    ) -> Reply:
        """The whole reply at once; held to the schema where the provider can do that."""
        ...

    def stream(self, messages: Sequence[Message], *, max_tokens: int = MAX_TOKENS) -> AsyncGenerator[str | Reply, None]:
        """The reply piece by piece; the last item is the `Reply` with the whole text and its usage."""
        ...


def estimate_tokens(*texts: str) -> int:
    """A guess that errs upwards, for what a provider does not report.

    Some models read each digit and sign as a token of its own; of other text, tokens are rarely shorter than three
    bytes.
    """
    return sum(_estimate(text) for text in texts)


def _estimate(text: str) -> int:
    signs = len(_SIGNS.findall(text))
    return signs - (signs - len(text.encode("utf-8", "replace"))) // 3


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
