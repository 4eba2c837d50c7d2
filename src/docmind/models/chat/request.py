"""One request to a chat model: the most it can take, how long it is waited for, and what it took."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from docmind.domain.budget import Price, Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.context_window import input_tokens
from docmind.models.chat.model import ChatModel, Message, Reply, Schema, estimate_tokens

_LONGEST_TOKEN = 16
"""Characters of a token, on average over a whole reply, that no tokenizer comes near."""


@dataclass(frozen=True, slots=True)
class Request:
    messages: tuple[Message, ...]
    max_tokens: int
    schema: Schema | None = None
    streamed: bool = False
    enough: Callable[[str], bool] | None = None

    @property
    def input_tokens(self) -> int:
        return input_tokens(self.messages, self.schema)

    def most(self, price: Price | None) -> Usage:
        """The most that asking once can take."""
        most = Usage(model_calls=1, input_tokens=self.input_tokens, output_tokens=self.max_tokens)
        return most if price is None else replace(most, cost=price.of(most))

    def require_within(self, heard: int, name: str) -> None:
        """A server that does not keep to the limit it was sent would have all the rest wade through megabytes."""
        if heard > _LONGEST_TOKEN * self.max_tokens:
            raise ModelError(f"The model {name} said far more than the {self.max_tokens} tokens it was allowed.")

    def cut_short(self, said: Sequence[str], *, read: bool = True) -> Usage:
        """What a call took of which no end was seen, as far as can be told."""
        seen = self.input_tokens if read else 0
        told = min(self.max_tokens, estimate_tokens("".join(said)))
        return Usage(model_calls=1, input_tokens=seen, output_tokens=told, cost=None)

    async def put_to(self, model: ChatModel) -> AsyncGenerator[str | Reply, None]:
        if not self.streamed:
            yield await model.complete(self.messages, schema=self.schema, max_tokens=self.max_tokens)
            return
        async with aclosing(model.stream(self.messages, max_tokens=self.max_tokens)) as items:
            async for item in items:
                yield item


class Clock:
    """Counts the time a model is waited for, and not the time its reader takes between two pieces."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self.seconds = 0.0
        self.expired = False

    async def next_of(self, items: AsyncGenerator[str | Reply, None], name: str) -> str | Reply | None:
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._limit_s - self.seconds):
                return await anext(items, None)
        except TimeoutError as error:
            self.expired = True
            waited = f"{self._limit_s:.4g} s"
            raise ModelError(f"The model {name} did not answer within {waited}.", retryable=True) from error
        finally:
            self.seconds += time.monotonic() - started


def priced(usage: Usage, seconds: float, price: Price | None) -> Usage:
    """With its time, and with its cost where the provider told it or the price is known."""
    if usage.cost is not None:
        cost: float | None = usage.cost
    elif price is not None:
        cost = price.of(usage)
    else:
        cost = None if usage.tokens else 0.0
    return replace(usage, seconds=seconds, cost=cost)
