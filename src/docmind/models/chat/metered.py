"""The one way a run talks to chat models: bounded, timed, retried, with a second model to turn to, and on record."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import replace

from docmind.domain.budget import Price, Usage
from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.models.chat.context_window import fitted
from docmind.models.chat.meter import Meter
from docmind.models.chat.model import (
    MAX_TOKENS,
    PROMPT_TOKENS,
    ChatModel,
    Message,
    Reply,
    Schema,
)
from docmind.models.chat.recording import Outcome, Recorder, request_hash
from docmind.models.chat.request import Clock, Request, priced
from docmind.models.chat.retries import Retries

_PAUSES = frozenset(".!?\n")
TIMEOUT_S = 120.0
"""How long a model is waited for over one request, retries included, unless told otherwise."""
_GROWN = 1.1
"""By how much a text has grown before it is looked at again."""


class MeteredChat:
    """Any chat model, within the budget of a run.

    Calls leave the budget's reserve untouched; those of `answering()` may use it. A stream is tried again only while
    nothing of it has been handed on: what was shown cannot be taken back.
    """

    def __init__(
        self,
        model: ChatModel,
        meter: Meter,
        *,
        fallback: ChatModel | None = None,
        retries: Retries | None = None,
        timeout_s: float = TIMEOUT_S,
        prompt_tokens: int = PROMPT_TOKENS,
        recorder: Recorder | None = None,
    ) -> None:
        self.name = model.name
        self.price: Price | None = model.price
        self.meter = meter
        self._models = [model] if fallback is None else [model, fallback]
        self._retries = retries or Retries()
        self._timeout_s = timeout_s
        self._prompt_tokens = prompt_tokens
        self._recorder = recorder
        self._step = ""
        self._asked: Counter[str] = Counter()
        self._kept = meter.budget.reserve

    def answering(self) -> "MeteredChat":
        """The same chat on the same meter, for the call that writes the answer: the reserve is there for it."""
        view = copy(self)
        view._kept = Usage()
        return view

    def in_step(self, step: str, part: Meter) -> "MeteredChat":
        """The same chat for one step of the run, which counts and records its calls by itself.

        A step that is run again after a crash finds what it had asked already, whatever the steps before it asked.
        """
        view = copy(self)
        view._step, view.meter, view._asked = step, part, Counter()
        return view

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int = MAX_TOKENS
    ) -> Reply:
        async with aclosing(self._outcome(self._request(messages, max_tokens, schema))) as items:
            async for item in items:
                if isinstance(item, Outcome):
                    return item.result()
        raise AssertionError("Every call has an outcome.")

    async def stream(
        self, messages: Sequence[Message], *, max_tokens: int = MAX_TOKENS, enough: Callable[[str], bool] | None = None
    ) -> AsyncGenerator[str | Reply, None]:
        """`enough` is asked at ends of lines and sentences; a model that has said enough is not heard out."""
        request = replace(self._request(messages, max_tokens), streamed=True, enough=enough)
        async with aclosing(self._outcome(request)) as items:
            async for item in items:
                yield item.result() if isinstance(item, Outcome) else item

    def _request(self, messages: Sequence[Message], max_tokens: int, schema: Schema | None = None) -> Request:
        """What is asked, within what every prompt may be: a longer one is cut."""
        return Request(fitted(messages, self._prompt_tokens, schema), max_tokens, schema)

    async def _outcome(self, request: Request) -> AsyncGenerator[str | Outcome, None]:
        """What is streamed, then how the call ended: from the record, or lived and put on record."""
        key = self._key(request)
        record = self._recorder.lookup(key) if self._recorder else None
        if record is not None:
            outcome = Outcome.from_text(record)
            self.meter.charge(outcome.took)
            for piece in outcome.pieces or ([outcome.reply.text] if outcome.reply else []):
                yield piece
            yield outcome
            return
        pieces: list[str] = []
        try:
            async with aclosing(self._live(request)) as items:
                async for item in items:
                    if isinstance(item, Reply):
                        outcome = Outcome(tuple(pieces), item)
                    else:
                        pieces.append(item)
                        yield item
        except (ModelError, BudgetExhausted) as error:
            outcome = Outcome.failure(tuple(pieces), error)
        if self._recorder:
            self._recorder.store(key, outcome.to_text())
        yield outcome

    async def _live(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """Try each model in turn, each as often as is worth it, until one has answered."""
        spent, failure = Usage(), ModelError(f"The model {self.name} was not asked.")
        for model in self._models:
            left_s = self._timeout_s
            for attempt in range(1, self._retries.attempts + 1):
                begun = False
                try:
                    async with aclosing(self._attempt(model, request, left_s)) as items:
                        async for item in items:
                            begun = True
                            yield replace(item, usage=spent + item.usage) if isinstance(item, Reply) else item
                    return
                except BudgetExhausted as refusal:
                    if not spent.model_calls:
                        raise
                    # The first reason stands: the budget only forbids to try once more.
                    raise failure from refusal
                except ModelError as error:
                    spent += error.usage
                    left_s -= error.usage.seconds
                    failure = ModelError(str(error), retryable=error.retryable, usage=spent, wait_s=error.wait_s)
                    if begun:
                        raise failure from error
                # A provider that asks to be left alone for long fails every call until then.
                if not failure.retryable or failure.wait_s > self._retries.longest_wait_s or left_s <= 0:
                    break
                if attempt < self._retries.attempts:
                    await asyncio.sleep(self._retries.wait_s(attempt, at_least_s=failure.wait_s))
        raise failure

    async def _attempt(self, model: ChatModel, request: Request, timeout_s: float) -> AsyncGenerator[str | Reply, None]:
        """One call of one model, admitted before and settled after, however it ends."""
        most = request.most(model.price)
        self.meter.admit(most, kept=self._kept)
        left = self.meter.seconds_left(kept=self._kept)
        clock = Clock(timeout_s if left is None else min(timeout_s, left))
        said: list[str] = []
        heard = looked_at = 0
        took: Usage | None = None
        try:
            async with aclosing(request.put_to(model)) as items:
                while (item := await clock.next_of(items, model.name)) is not None:
                    heard = len(item.text) if isinstance(item, Reply) else heard + len(item)
                    request.require_within(heard, model.name)
                    if isinstance(item, Reply):
                        took = priced(item.usage, clock.seconds, model.price)
                        yield replace(item, usage=took)
                        return
                    said.append(item)
                    yield item
                    # To look through a text at its every sentence would take a long one's length squared.
                    if heard < _GROWN * looked_at or _PAUSES.isdisjoint(item):
                        continue
                    looked_at = heard
                    if request.enough is not None and request.enough("".join(said)):
                        took = priced(request.cut_short(said), clock.seconds, model.price)
                        yield Reply("".join(said), took, truncated=True)
                        return
            raise ModelError(f"The model {model.name} ended its stream without a reply.", retryable=True)
        except ModelError as error:
            read = bool(said) or clock.expired
            took = priced(request.cut_short(said, read=read), clock.seconds, model.price)
            raise ModelError(str(error), retryable=error.retryable, usage=took, wait_s=error.wait_s) from error
        finally:
            # A reader that stops, or a run that is cancelled, does not take back what the model was sent.
            self.meter.settle(most, took or priced(request.cut_short(said), clock.seconds, model.price))

    def _key(self, request: Request) -> str:
        """What was asked, in which step, and how often that had asked the same before: the replies may differ."""
        asked = request_hash(self.name, request.messages, request.schema, request.max_tokens)
        self._asked[asked] += 1
        return f"{self._step}{asked}.{self._asked[asked]}"
