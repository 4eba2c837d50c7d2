"""A chat model whose calls somebody sees: that one was made, how it ended and what it took."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractContextManager, aclosing

from docmind.domain.budget import Price, Usage
from docmind.models.chat.model import MAX_TOKENS, ChatModel, Message, Reply, Schema

Watching = Callable[[str], AbstractContextManager[Callable[[Usage], None]]]
"""Opened with the model's name, told what the call took, closed when it is over."""


class WatchedChat:
    def __init__(self, model: ChatModel, watching: Watching) -> None:
        self._model = model
        self._watching = watching

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def price(self) -> Price | None:
        return self._model.price

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int = MAX_TOKENS
    ) -> Reply:
        with self._watching(self.name) as took:
            reply = await self._model.complete(messages, schema=schema, max_tokens=max_tokens)
            took(reply.usage)
            return reply

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = MAX_TOKENS
    ) -> AsyncGenerator[str | Reply, None]:
        with self._watching(self.name) as took:
            async with aclosing(self._model.stream(messages, max_tokens=max_tokens)) as items:
                async for item in items:
                    if isinstance(item, Reply):
                        took(item.usage)
                    yield item
