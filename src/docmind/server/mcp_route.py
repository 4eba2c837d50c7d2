"""The route of the Model Context Protocol; what answers there is loaded with the first request, not before."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from docmind.server.deps import Backend

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

PATH = "/mcp"


class McpRoute:
    """Each request stands for itself, so that any worker can answer it."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._answering: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._held: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        # There is nothing to tell a client that did not ask, so it cannot listen (GET) or end a session (DELETE).
        self.route = Route(PATH, self, methods=["POST"], include_in_schema=False)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Requests are answered as long as the block runs."""
        self._closing.clear()
        try:
            yield
        finally:
            self._closing.set()
            if self._held is not None:
                await self._held
            self._answering = self._held = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # As FastAPI notes it for its own routes, for whoever counts.
        scope["route"] = self.route
        if self._answering is None:
            self._answering = asyncio.get_running_loop().create_future()
            self._held = asyncio.create_task(self._hold(self._answering))
        sessions = await asyncio.shield(self._answering)
        await sessions.handle_request(scope, receive, send)

    async def _hold(self, opened: "asyncio.Future[StreamableHTTPSessionManager]") -> None:
        try:
            sessions = await asyncio.to_thread(_load, self._backend)
        except Exception as failure:  # noqa: BLE001 - the edge of the task: whoever asks is told
            opened.set_exception(failure)
            self._answering = None
            return
        async with sessions.run():
            opened.set_result(sessions)
            await self._closing.wait()


def _load(backend: Backend) -> "StreamableHTTPSessionManager":
    from docmind.server.mcp import open_sessions

    return open_sessions(backend)
