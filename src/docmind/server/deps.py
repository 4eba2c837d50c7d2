"""What routes are given: the engine beside an event loop, and the scope every request names."""

from collections.abc import Callable
from typing import Annotated, TypeVar

import anyio
import anyio.to_thread
from fastapi import Depends, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from docmind.domain.errors import InvalidQuery
from docmind.runtime.engine import DocMind
from docmind.server.desk import Desk
from docmind.settings import ServerSettings

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
