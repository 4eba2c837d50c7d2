"""Serves the page from the first moment, while what answers is being loaded; what is asked meanwhile waits for it."""

import asyncio
import sys
from collections.abc import Callable
from socket import socket
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from docmind.server import page
from docmind.server.running import Server, close_for_restoring

if TYPE_CHECKING:
    from fastapi import FastAPI

_TURN_S = 0.0005
"""How long loading keeps the others waiting at a time: it is all Python, and the page is made of many small files."""


def serve(load: "Callable[[], FastAPI]", listener: socket) -> None:
    """Serve what `load` gives until told to stop; what goes wrong with loading it is raised once nothing is served."""
    while (app := _serve(load, listener)) is not None:
        close_for_restoring(app.state.backend.engine)


def _serve(load: "Callable[[], FastAPI]", listener: socket) -> "FastAPI | None":
    """Serve until told to stop, or until a restored data folder is to take the place of the one that `load` opened."""
    opening = StartupApp(load)
    server = Server(opening, lambda: opening.app.state.backend if opening.app else None)

    def stop() -> None:
        server.should_exit = True

    opening.when_it_fails = stop
    server.run_to_the_end(listener)
    if opening.failure:
        # Nothing was under way, and the program that called this goes on.
        server.last_moment.cancel()
        raise opening.failure
    return opening.app if server.makes_room else None


class StartupApp:
    """An application that becomes another one, as soon as that is loaded."""

    def __init__(self, load: "Callable[[], FastAPI]") -> None:
        self._load = load
        self._page = page.alone()
        self._loaded, self._closing = asyncio.Event(), asyncio.Event()
        self._answers: ASGIApp | None = None
        self.app: FastAPI | None = None
        self.failure: Exception | None = None
        self.when_it_fails: Callable[[], None] = lambda: None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if self._answers is None and page.is_part_of_it(scope):
            await self._page(scope, receive, send)
            return
        await self._loaded.wait()
        failed = PlainTextResponse("The service could not be started; what it printed says why.", 503)
        await (self._answers or failed)(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        open_until_closed = asyncio.create_task(self._open())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._closing.set()
        await open_until_closed
        await send({"type": "lifespan.shutdown.complete"})

    async def _open(self) -> None:
        usual = sys.getswitchinterval()
        sys.setswitchinterval(_TURN_S)
        try:
            self.app = app = await asyncio.to_thread(self._load)
            async with app.router.lifespan_context(app):
                from docmind.server.bodies import BodyDrain

                sys.setswitchinterval(usual)
                self._answers = BodyDrain(app)
                self._loaded.set()
                await self._closing.wait()
        except Exception as failure:  # noqa: BLE001 - the edge of the task: it is raised where the service was started
            self.failure = failure
            self._loaded.set()
            self.when_it_fails()
        finally:
            sys.setswitchinterval(usual)
