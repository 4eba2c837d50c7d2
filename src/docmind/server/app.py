"""The service put together: an application over an engine, and the one worker that runs it."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from socket import socket
from threading import Timer

import uvicorn
from fastapi import FastAPI
from fastapi.routing import APIRoute

from docmind.runtime.engine import DocMind
from docmind.server import errors, page
from docmind.server.bodies import BodyDrain, BodyLimit
from docmind.server.deps import Backend
from docmind.server.desk import Desk
from docmind.server.gate import Gate
from docmind.server.guard import Guard
from docmind.server.mcp import Tools
from docmind.server.metrics import Counting, Metrics
from docmind.server.routes import (
    asking,
    checking,
    completions,
    documents,
    facilities,
    health,
    runs,
    search,
    service,
    threads,
    uploads,
    workspaces,
)
from docmind.server.routes import metrics as metrics_route
from docmind.server.watchers import open_telemetry

_log = logging.getLogger(__name__)

LAST_ANSWERS_S = 10
"""How long, after it was told to stop, the service waits for answers under way."""

LAST_RUNS_S = 5
"""How long runs may go on by then; what has not ended is stopped, and its client told so in the time that is left."""

LAST_MOMENT_S = 15
"""When the process ends in any case: a read or a calculation cannot be told to stop, and nobody has to wait for it."""

_RESOURCES = (
    health,
    metrics_route,
    service,
    asking,
    runs,
    threads,
    search,
    checking,
    uploads,
    documents,
    facilities,
    workspaces,
    completions,
)


def create_app(engine: DocMind) -> FastAPI:
    """The application. Whoever opened the engine closes it, once the application is no longer asked."""
    backend, metrics, telemetry = Backend(engine), Metrics(), open_telemetry()
    engine.watches.extend([metrics] if telemetry is None else [metrics, telemetry])
    tools = Tools(backend)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with tools.sessions.run():
            yield
        if telemetry is not None:
            telemetry.close()

    app = FastAPI(
        title="DocMind",
        description="Your own documents, searched and cited to the character.",
        version=version("docmind"),
        # FastAPI's pages for people load their scripts from elsewhere; this service works without a network.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation,
        lifespan=lifespan,
    )
    app.state.backend, app.state.metrics = backend, metrics
    # The last that is added sees a request first.
    app.add_middleware(BodyLimit, limits=engine.settings.server)
    app.add_middleware(Gate, keys=lambda: engine.keys)
    app.add_middleware(Guard, hosts=engine.settings.server.named_hosts)
    if telemetry is not None:
        telemetry.install(app)
    app.add_middleware(Counting, metrics=metrics)
    errors.install(app)
    for resource in _RESOURCES:
        app.include_router(resource.router)
    app.router.routes.append(tools.route)
    page.install(app)
    return app


def create_server(app: FastAPI) -> "_Server":
    """One worker in this process, which lets runs end before it does, or stops them so that they can be resumed."""
    config = uvicorn.Config(
        # Outside of everything, also of what answers when something unexpected goes wrong.
        BodyDrain(app),
        lifespan="on",
        ws="none",
        # It speaks up only when something is wrong. Requests are not logged: addresses name documents and users.
        log_level="warning",
        # Nothing that is sent is ever to be taken for another type than it says.
        headers=[("X-Content-Type-Options", "nosniff")],
        access_log=False,
        timeout_graceful_shutdown=LAST_ANSWERS_S,
    )
    return _Server(config, app.state.backend.desk)


def serve(engine: DocMind, listener: socket) -> None:
    """Serve until told to stop. Soon after that this process ends, whatever still goes on in it.

    Everything under way can be killed at any moment without harm: an upload that is read has not come in, and a run
    stands at its last finished node.
    """
    server = create_server(create_app(engine))
    server.last_moment = Timer(LAST_MOMENT_S, _end)
    server.run(sockets=[listener])


class _Server(uvicorn.Server):
    last_moment: Timer | None = None
    """What ends the process, once it is told to stop."""

    def __init__(self, config: uvicorn.Config, desk: Desk) -> None:
        super().__init__(config)
        self._desk = desk

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        if self.last_moment is not None:
            self.last_moment.daemon = True
            self.last_moment.start()
        winding_up = asyncio.create_task(self._desk.wind_up(LAST_RUNS_S))
        await super().shutdown(sockets)
        await winding_up


def _end() -> None:
    _log.warning("What was under way has not ended in time and is left as it stands.")
    os._exit(0)


def _operation(route: APIRoute) -> str:
    """The name of a route in the API's description, from which programs generate theirs."""
    return route.name
