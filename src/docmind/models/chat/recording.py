"""Chat models that play a script or a record: for tests, and to look at a run again without a model."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, Protocol

from pydantic import TypeAdapter

from docmind.domain.budget import Price, Usage
from docmind.domain.errors import BudgetExhausted, ModelError, NotFound
from docmind.models.chat.model import MAX_TOKENS, ChatModel, Message, Reply, Schema, estimate_tokens


@dataclass(frozen=True, slots=True)
class Broken:
    """A reply that dies on the way: a stream hands on this much of it, a whole reply never comes."""

    text: str


@dataclass(frozen=True, slots=True)
class Silence:
    """No reply, ever."""


Line = str | Exception | Broken | Silence
"""What is said to one call: a text (garbage is a text too), an error that is raised, half a reply, or nothing."""


class ScriptedChat:
    """Answers the calls in turn by a list of lines, or each by a function of its messages."""

    def __init__(
        self,
        script: Iterable[Line] | Callable[[Sequence[Message]], Line],
        *,
        name: str = "scripted",
        price: Price | None = None,
    ) -> None:
        self.name = name
        self.price = price
        self.requests: list[tuple[Message, ...]] = []
        self.schemas: list[Schema | None] = []
        if callable(script):
            self._say = script
        else:
            lines = iter(script)
            self._say = lambda _: next(lines, ModelError(f"The script of {name} has no further reply."))

    @property
    def calls(self) -> int:
        return len(self.requests)

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int = MAX_TOKENS
    ) -> Reply:
        line = await self._next(messages, schema)
        if isinstance(line, Broken):
            raise self._broken()
        return _reply(messages, line, max_tokens)

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = MAX_TOKENS
    ) -> AsyncGenerator[str | Reply, None]:
        line = await self._next(messages, None)
        reply = _reply(messages, line.text if isinstance(line, Broken) else line, max_tokens)
        for piece in _pieces(reply.text):
            yield piece
        if isinstance(line, Broken):
            raise self._broken()
        yield reply

    async def _next(self, messages: Sequence[Message], schema: Schema | None) -> str | Broken:
        self.requests.append(tuple(messages))
        self.schemas.append(schema)
        line = self._say(messages)
        # No real model answers before other tasks had their turn, and calls side by side must meet here too.
        await asyncio.sleep(0)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Silence):
            await asyncio.get_running_loop().create_future()
            raise AssertionError("Silence does not end by itself.")
        return line

    def _broken(self) -> ModelError:
        return ModelError(f"The model {self.name} broke off.", retryable=True)


def _reply(messages: Sequence[Message], text: str, max_tokens: int) -> Reply:
    """As a real model, it stops when its tokens are used up: a token is three characters here."""
    read = estimate_tokens(*(message.content for message in messages))
    kept = text.encode("utf-8", "replace")[: 3 * max_tokens].decode("utf-8", "ignore")
    told = min(max_tokens, estimate_tokens(kept))
    usage = Usage(model_calls=1, input_tokens=read, output_tokens=told, cost=None)
    return Reply(kept, usage, truncated=len(kept) < len(text))


def _pieces(text: str) -> list[str]:
    """Words with the space before them, as models stream them."""
    words = text.split(" ")
    return [piece for piece in (words[0], *(f" {word}" for word in words[1:])) if piece]


class Recorder(Protocol):
    """Keeps text by key; where, is its own affair."""

    def lookup(self, key: str) -> str | None: ...

    def store(self, key: str, record: str) -> None: ...


class MemoryRecorder:
    """Records in a dictionary, for a run that is replayed in the same process or loaded from elsewhere."""

    def __init__(self, records: dict[str, str] | None = None) -> None:
        self.records = {} if records is None else records

    def lookup(self, key: str) -> str | None:
        return self.records.get(key)

    def store(self, key: str, record: str) -> None:
        self.records[key] = record


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one call ended, its retries included: a reply, or why there was none."""

    pieces: tuple[str, ...]
    """What was streamed, in the order it came; also of a stream that died."""
    reply: Reply | None = None
    failed: Literal["model", "budget"] | None = None
    reason: str = ""
    retryable: bool = False
    usage: Usage = field(default_factory=Usage)

    @classmethod
    def failure(cls, pieces: tuple[str, ...], error: ModelError | BudgetExhausted) -> "Outcome":
        kind: Literal["model", "budget"] = "model" if isinstance(error, ModelError) else "budget"
        return cls(pieces, failed=kind, reason=str(error), retryable=error.retryable, usage=error.usage)

    @property
    def took(self) -> Usage:
        """What the call itself spent; a refused one spent nothing."""
        if self.reply is not None:
            return self.reply.usage
        return self.usage if self.failed == "model" else Usage()

    def result(self) -> Reply:
        """The reply, or the error that was raised instead, raised again."""
        if self.reply is not None:
            return self.reply
        if self.failed == "budget":
            raise BudgetExhausted(self.reason, usage=self.usage)
        raise ModelError(self.reason, retryable=self.retryable, usage=self.usage)

    def to_text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> "Outcome":
        return _OUTCOMES.validate_python(json.loads(text))


_OUTCOMES: TypeAdapter[Outcome] = TypeAdapter(Outcome)


def absent_chat(name: str) -> ChatModel:
    """Stands in for the model of a run that is replayed: what was not recorded is an error, never a call.

    It is no `ModelError`, because those are answered by going on without a model, and a replay must not hide that it
    went another way.
    """
    missing = NotFound(f"The run has no recorded reply of {name} to this call, and a replay makes no calls.")
    return ScriptedChat(lambda _: missing, name=name)


def request_hash(model: str, messages: Sequence[Message], schema: Schema | None, max_tokens: int) -> str:
    """Names a call by its content."""
    asked = [model, [(message.role, message.content) for message in messages], schema, max_tokens]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
