"""What happens while a client waits, as server-sent events: each with its name, and problems told in the same way."""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import BaseModel
from starlette.types import Send

from docmind.domain.errors import DocMindError
from docmind.domain.stream import StreamEvent
from docmind.server.errors import HIDDEN, UNEXPECTED, Problem, kind_of, told

MEDIA_TYPE = "text/event-stream"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""A proxy that collected events before it hands them on would defeat them."""

_log = logging.getLogger(__name__)


def wants_events(request: Request) -> bool:
    return MEDIA_TYPE in request.headers.get("accept", "")


class EventStream(StreamingResponse):
    """Closes its source as soon as the client is gone, not whenever the collector of garbage comes by."""

    media_type = MEDIA_TYPE

    def __init__(self, source: AsyncGenerator[bytes, None]) -> None:
        super().__init__(source, headers=HEADERS)
        self._source = source

    async def stream_response(self, send: Send) -> None:
        async with aclosing(self._source):
            await super().stream_response(send)


async def streamed(events: AsyncGenerator[StreamEvent | None, None]) -> Response:
    """The events of a run. What goes wrong before the first is an ordinary problem, with its own status."""
    first = await anext(events)
    return EventStream(_lines(first, events))


async def _lines(
    first: StreamEvent | None, events: AsyncGenerator[StreamEvent | None, None]
) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        try:
            yield _line(first)
            async for event in events:
                yield _line(event)
        except Exception as error:  # noqa: BLE001 - the edge: a stream that has begun can only say so
            yield failure(error)


def named(event: str, data: BaseModel) -> bytes:
    return format_sse_event(event=event, data_str=data.model_dump_json())


def failure(error: Exception) -> bytes:
    """An error after the stream began, as an event."""
    return named("error", problem_in(error))


def problem_in(error: Exception) -> Problem:
    """What clients are told of an error; the log is told of those that nobody expected."""
    if isinstance(error, DocMindError):
        return told(kind_of(error), str(error))
    _log.error("A stream broke off.", exc_info=error)
    return told(UNEXPECTED, HIDDEN)


def _line(event: StreamEvent | None) -> bytes:
    return KEEPALIVE_COMMENT if event is None else named(event.type, event)


def as_events(description: str, example: str) -> dict[int | str, dict[str, Any]]:
    """For a route's `responses`: that it can also answer with events."""
    told = {"schema": {"type": "string"}, "example": example}
    return {200: {"description": description, "content": {MEDIA_TYPE: told}}}
