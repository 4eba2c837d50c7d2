"""What routes are given: the engine beside an event loop, the desk that runs are taken on at, and a request's scope."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from typing import Annotated, Any, TypeVar

import anyio.to_thread
from fastapi import Depends, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from docmind.domain.answers import RunResult
from docmind.domain.errors import Busy, InvalidQuery
from docmind.domain.stream import Resulted, RunStarted, StreamEvent
from docmind.runtime.engine import DocMind
from docmind.settings import ServerSettings

T = TypeVar("T")

COME_AGAIN_S = 5.0
"""By then another run has usually ended."""
QUIET_S = 15.0
"""After so long without a word a stream says that it is still there: what lies between may close a silent one."""

_END = object()
_FULL = "The service has taken on {} runs, and that is all it can; ask again in a few seconds."
_STOPS = "The service is stopping; ask again when it is back."
_RESUME = "The service is stopping. Run {} can be resumed when it is back."


class ClientGone(Exception):
    """Nobody waits for the answer any more."""


class Desk:
    """Belongs to one event loop."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self._most = at_once + waiting
        self._turns = asyncio.Semaphore(at_once)
        self._under_way: set[asyncio.Task[Any]] = set()
        self._closed = False

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._under_way)

    @property
    def is_closed(self) -> bool:
        """Whether the service is stopping."""
        return self._closed

    async def answer(self, run: AsyncGenerator[StreamEvent, None], request: Request) -> RunResult:
        """What a run gives. The run stops when its client goes away."""
        told: list[StreamEvent] = []
        await self.result(_pour(run, told.append), request, told)
        return next(event.result for event in reversed(told) if isinstance(event, Resulted))

    async def result(self, work: Coroutine[Any, Any, T], request: Request, told: Sequence[StreamEvent] = ()) -> T:
        """What any work gives, with what it has told so far. It stops when its client goes away."""
        task, gone = self._take_on(work), asyncio.create_task(_left(request))
        try:
            await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ClientGone
            return _outcome(task, told)
        finally:
            task.cancel()
            gone.cancel()

    async def events(self, run: AsyncGenerator[StreamEvent, None]) -> AsyncGenerator[StreamEvent | None, None]:
        """What a run tells, and None when it has told nothing for a while. Whoever stops reading stops the run."""
        box: asyncio.Queue[Any] = asyncio.Queue()
        task = self._take_on(_pour(run, box.put_nowait))
        task.add_done_callback(lambda _: box.put_nowait(_END))
        begun: list[StreamEvent] = []
        try:
            while (event := await _next(box)) is not _END:
                begun += [event] if isinstance(event, RunStarted) else []
                yield event
            _outcome(task, begun)
        finally:
            task.cancel()

    async def wind_up(self, within_s: float) -> None:
        """Take nothing on and begin nothing any more, and stop what has not ended in time; runs can be resumed."""
        self._closed = True
        if self._under_way:
            _, late = await asyncio.wait(self._under_way, timeout=within_s)
            for task in late:
                task.cancel()

    def _take_on(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        if self._closed or len(self._under_way) >= self._most:
            work.close()
            raise Busy(_STOPS if self._closed else _FULL.format(self._most), wait_s=COME_AGAIN_S)
        task = asyncio.create_task(self._in_turn(work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        # One whose turn never came has not been begun, and would complain of that.
        task.add_done_callback(lambda _: work.close())
        return task

    async def _in_turn(self, work: Coroutine[Any, Any, T]) -> T:
        async with self._turns:
            if self._closed:
                raise Busy(_STOPS, wait_s=COME_AGAIN_S)
            return await work


async def _pour(run: AsyncGenerator[StreamEvent, None], take: Callable[[StreamEvent], object]) -> None:
    async with aclosing(run):
        async for event in run:
            take(event)


async def _next(box: asyncio.Queue[Any]) -> Any:
    try:
        return await asyncio.wait_for(box.get(), QUIET_S)
    except TimeoutError:
        return None


def _outcome(task: asyncio.Task[T], told: Sequence[StreamEvent]) -> T:
    if task.cancelled():
        # A run that has said that it began is on record.
        run = next((event.run_id for event in told if isinstance(event, RunStarted)), None)
        raise Busy(_RESUME.format(run) if run else _STOPS, wait_s=COME_AGAIN_S)
    return task.result()


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


Answer = TypeVar("Answer")

READS_AT_ONCE = 4
"""Threads that read the catalogue; with many of them the event loop would wait too long for its turn."""

VIEWS_AT_ONCE = 3
"""Threads that wait for pages to be drawn: one more than are drawn at once, and all else is read beside them."""

WRITES_AT_ONCE = 4
"""Threads that bring something in or take it away; most of them wait for their turn at the index."""


class Backend:
    """The engine, threads for those of its calls that block, and the desk that its runs are taken on at."""

    def __init__(self, engine: DocMind) -> None:
        self.engine = engine
        self.desk = Desk(self.limits.runs, self.limits.waiting)
        self._reading = anyio.CapacityLimiter(READS_AT_ONCE)
        self._viewing = anyio.CapacityLimiter(VIEWS_AT_ONCE)
        self._writing = anyio.CapacityLimiter(WRITES_AT_ONCE)

    @property
    def limits(self) -> ServerSettings:
        """Those in force now; how many runs there may be at once is read at the start alone."""
        return self.engine.settings.server

    async def read(self, call: Callable[[DocMind], Answer]) -> Answer:
        """What `call` makes of the engine, without holding up the event loop."""
        return await anyio.to_thread.run_sync(call, self.engine, limiter=self._reading)

    async def view(self, call: Callable[[DocMind], Answer]) -> Answer:
        """As `read`, for what has to be drawn or laid out first."""
        return await anyio.to_thread.run_sync(call, self.engine, limiter=self._viewing)

    async def write(self, call: Callable[[DocMind], Answer]) -> Answer:
        """As `read`, for what may take long: reading goes on beside it."""
        return await anyio.to_thread.run_sync(call, self.engine, limiter=self._writing)

    def question(self, text: str) -> str:
        """The text of a question, or a refusal of one that is too long to be one."""
        most = self.limits.question_characters
        if len(text) > most:
            raise InvalidQuery(f"The question has {len(text):,} characters; the most is {most:,}.")
        return text


async def _backend(request: Request) -> Backend:
    backend: Backend = request.app.state.backend
    return backend


ToBackend = Annotated[Backend, Depends(_backend)]


def _whole(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise PydanticCustomError("half_a_character", "Half a character is not text")
    return text


Text = Annotated[str, AfterValidator(_whole)]
"""JSON can spell half of a surrogate pair, which nothing below could encode."""

Thread = Annotated[
    Text,
    Field(description="The conversation that the question goes on with.", max_length=200, pattern=r"^[^/\x00-\x1f]+$"),
]


MostWrong = Annotated[
    float,
    Field(
        description="The largest share of wrong answers that is allowed: with 0.2 an answer must be at least 80% "
        "likely right; without, the service's settings say.",
        ge=0,
        le=1,
    ),
]


class Scoped(BaseModel):
    """What every request says: in which workspace, and as whom. A field nobody knows is refused, not ignored."""

    model_config = ConfigDict(extra="forbid")

    workspace: Annotated[str, Field(description="The workspace to look in.", examples=["strategy"])] = "default"
    user: Annotated[
        str | None, Field(description="See this user's own documents besides the shared ones.", examples=["alice"])
    ] = None
