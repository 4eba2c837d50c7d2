"""Calls kept by what was asked, so that a run can be looked at again without a model."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, Protocol

from pydantic import TypeAdapter

from docmind.domain.budget import Usage
from docmind.domain.errors import BudgetExhausted, ModelError, NotFound
from docmind.models.chat.model import ChatModel, Message, Reply, Schema
from docmind.models.chat.scripted import ScriptedChat


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
