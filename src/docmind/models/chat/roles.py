"""Which chat model does what in a run: one writes, one stands in, one judges, each behind the meter and in sight."""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AbstractContextManager, aclosing
from dataclasses import dataclass, field, replace

from docmind.domain.budget import Price, Requests, Usage
from docmind.models.chat.meter import TIMEOUT_S, Meter, MeteredChat, Retries
from docmind.models.chat.model import MAX_TOKENS, PROMPT_TOKENS, ChatModel, Message, Reply, Schema
from docmind.models.chat.recording import Recorder

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


@dataclass(frozen=True, slots=True)
class Roles:
    """The chat models of an installation; without any, the embedded ways do the work."""

    writer: ChatModel | None = None
    fallback: ChatModel | None = None
    """Asked where the writer fails; of no use without one."""
    judge: ChatModel | None = None
    """Nobody stands in for it: where it fails, the local checks have judged already."""
    retries: Retries = field(default_factory=Retries)
    timeout_s: float = TIMEOUT_S
    prompt_tokens: int = PROMPT_TOKENS
    """The most tokens that one call shows to a model."""

    def most(self, requests: Iterable[Requests]) -> Usage:
        """The most that these requests can take, where every call fails until its last attempt."""
        writers = [one for one in (self.writer, self.fallback) if self.writer and one]
        judges = [self.judge] if self.judge else []
        taken = (self._most(one, model) for one in requests for model in (judges if one.judged else writers))
        return sum(taken, Usage())

    def _most(self, asked: Requests, model: ChatModel) -> Usage:
        calls = asked.times * asked.calls * self.retries.attempts
        read = min(self.prompt_tokens, asked.input_tokens or self.prompt_tokens)
        most = Usage(calls, calls * read, calls * asked.output_tokens, cost=None if calls else 0.0)
        return most if model.price is None else replace(most, cost=model.price.of(most))

    def writing(self, meter: Meter, recorder: Recorder | None = None) -> MeteredChat | None:
        return self._metered(self.writer, meter, recorder, self.fallback)

    def judging(self, meter: Meter, recorder: Recorder | None = None) -> MeteredChat | None:
        return self._metered(self.judge, meter, recorder)

    def _metered(
        self, model: ChatModel | None, meter: Meter, recorder: Recorder | None, fallback: ChatModel | None = None
    ) -> MeteredChat | None:
        if model is None:
            return None
        return MeteredChat(
            model,
            meter,
            fallback=fallback,
            retries=self.retries,
            timeout_s=self.timeout_s,
            prompt_tokens=self.prompt_tokens,
            recorder=recorder,
        )
