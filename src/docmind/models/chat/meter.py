"""The one way a run talks to chat models: bounded, timed, retried, with a second model to turn to, and on record."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass, replace

from docmind.domain.budget import Budget, Price, Usage
from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.models.chat.model import (
    MAX_TOKENS,
    PROMPT_TOKENS,
    ChatModel,
    Message,
    Reply,
    Schema,
    estimate_tokens,
    fitted,
    input_tokens,
)
from docmind.models.chat.recording import Outcome, Recorder, request_hash


class Meter:
    """One a run, shared by all its models, on one event loop.

    A call is let in with the most it can take and settled with what it took, so that calls side by side cannot pass a
    limit together. Only time is not foreseen: each call is cut off at the seconds that were left when it began.
    """

    def __init__(self, budget: Budget | None = None, spent: Usage | None = None) -> None:
        self.budget = budget or Budget()
        self.spent = spent or Usage()
        self._under_way: list[Usage] = []

    def admit(self, call: Usage, *, kept: Usage) -> None:
        """Let a call in that takes at most so much and leaves `kept` untouched, or refuse it."""
        limit = self.budget.excess(sum(self._under_way, self.spent + call + kept))
        if limit is not None:
            aside = " besides the reserve for the answer" if kept != Usage() else ""
            raise BudgetExhausted(f"One more call would pass the run's limit of {limit}{aside}.", usage=self.spent)
        self._under_way.append(call)

    def settle(self, call: Usage, took: Usage) -> None:
        """Put what an admitted call took in the place of what it might have taken."""
        self._under_way.remove(call)
        self.charge(took)

    def charge(self, took: Usage) -> None:
        self.spent += took

    def seconds_left(self, *, kept: Usage) -> float | None:
        """How long a call may wait from here on; None without a limit."""
        limit = self.budget.seconds
        return None if limit is None else limit - self.spent.seconds - kept.seconds


class Part(Meter):
    """What one step spends, of a run whose limits hold for all its steps together."""

    def __init__(self, whole: Meter) -> None:
        super().__init__(whole.budget)
        self._whole = whole

    def admit(self, call: Usage, *, kept: Usage) -> None:
        self._whole.admit(call, kept=kept)

    def settle(self, call: Usage, took: Usage) -> None:
        self._whole.settle(call, took)
        self.spent += took

    def charge(self, took: Usage) -> None:
        self._whole.charge(took)
        self.spent += took

    def seconds_left(self, *, kept: Usage) -> float | None:
        return self._whole.seconds_left(kept=kept)


@dataclass(frozen=True, slots=True)
class Retries:
    """Waits double from one try to the next and are drawn at random, so that many callers do not come back at once."""

    attempts: int = 3
    """How often a call is made at most, the first time included."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0

    def wait_s(self, failures: int, *, at_least_s: float = 0.0) -> float:
        """How long to wait after that many failures in a row."""
        wait = min(self.first_wait_s * 2.0 ** (failures - 1), self.longest_wait_s)
        drawn = wait * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret hangs on when a call is repeated
        return max(drawn, at_least_s)


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
