"""One worker in this process: it serves the page from the first moment, and lets runs end before it does."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, socket
from threading import Timer
from typing import TYPE_CHECKING

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from docmind.server import page

if TYPE_CHECKING:
    from fastapi import FastAPI

    from docmind.runtime.engine import DocMind
    from docmind.server.deps import Backend


_log = logging.getLogger(__name__)

LAST_ANSWERS_S = 10
"""How long, after it was told to stop, the service waits for answers under way."""

LAST_RUNS_S = 5
"""How long runs may go on by then; what has not ended is stopped, and its client told so in the time that is left."""

LAST_MOMENT_S = 15
"""When the process ends in any case: a read or a calculation cannot be told to stop, and nobody has to wait for it."""

_TICKS_A_LOOK = 10
"""The server ticks ten times a second."""


class Server(uvicorn.Server):
    """Serves an application; `backend` is what answers, once it is loaded."""

    def __init__(self, app: ASGIApp, backend: "Callable[[], Backend | None]") -> None:
        config = uvicorn.Config(
            app,
            lifespan="on",
            ws="none",
            # It speaks up only when something is wrong. Requests are not logged: addresses name documents and users.
            log_level="warning",
            # Nothing that is sent is ever to be taken for another type than it says.
            headers=[("X-Content-Type-Options", "nosniff")],
            access_log=False,
            timeout_graceful_shutdown=LAST_ANSWERS_S,
        )
        super().__init__(config)
        self._backend = backend
        self.last_moment = Timer(LAST_MOMENT_S, _end)
        """What ends the process, once it is told to stop."""
        self.makes_room = False
        """Whether it ends so that a restored data folder can take the place of this one."""
        self._listener: socket | None = None

    def run_to_the_end(self, listener: socket) -> None:
        """Serve until told to stop. Soon after that this process ends, whatever still goes on in it.

        Everything under way can be killed at any moment without harm: an upload that is read has not come in, and a
        run stands at its last finished node. Where it makes room instead, the process goes on, and whoever connects
        meanwhile waits.
        """
        self._listener = listener
        # Workers share it: one that made it block again while it starts would leave another waiting in `accept`.
        listener.setblocking(False)
        self.run(sockets=[listener.dup()])

    async def startup(self, sockets: list[socket] | None = None) -> None:
        for one in sockets or []:
            # Otherwise the body of an answer waits until the client has acknowledged its head, often for 40 ms. asyncio
            # sets this only for sockets that name their protocol, which those of `socket.create_server` do not.
            if one.family in (AF_INET, AF_INET6):
                one.setsockopt(IPPROTO_TCP, TCP_NODELAY, True)
        await super().startup(sockets)

    async def on_tick(self, counter: int) -> bool:
        backend = self._backend()
        if self._listener is not None and backend is not None and counter % _TICKS_A_LOOK == 0:
            from docmind.runtime.data_folder import is_wanted

            # A file cannot be left half read, and nobody has to wait for it without answers.
            self.makes_room = is_wanted(backend.engine.settings.home) and not backend.engine.upload_queue.is_busy
        return await super().on_tick(counter) or self.makes_room

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        if self._listener is not None and not self.makes_room:
            self._listener.close()
            self.last_moment.daemon = True
            self.last_moment.start()
        backend = self._backend()
        winding_up = asyncio.create_task(backend.desk.wind_up(LAST_RUNS_S)) if backend else None
        await super().shutdown(sockets)
        if winding_up:
            await winding_up


def close_for_restoring(engine: "DocMind") -> None:
    """Let a restored data folder take the place of the engine's, which opens it when it is next asked."""
    _log.warning("A backup is being restored; the service opens its data again.")
    engine.close()
    engine.watches.clear()


def _end() -> None:
    _log.warning("What was under way has not ended in time and is left as it stands.")
    os._exit(0)


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
                from docmind.server.middleware import BodyDrain

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
