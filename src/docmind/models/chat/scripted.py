"""A chat model that plays a script: for tests, of this package and of what is built on it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass

from docmind.domain.budget import Price, Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.model import MAX_TOKENS, Message, Reply, Schema, estimate_tokens


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
