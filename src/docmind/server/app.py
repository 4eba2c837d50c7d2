"""The service put together: an application over an engine, and what serves it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from socket import socket

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from docmind.runtime.engine import DocMind
from docmind.server import errors, page
from docmind.server.background import finding_suggestions, reading_uploads, reindexing
from docmind.server.deps import Backend
from docmind.server.mcp_route import McpRoute
from docmind.server.metrics import Counting, Metrics
from docmind.server.middleware import BodyDrain, BodyLimit, Gate, Guard
from docmind.server.routes.asking import router as asking
from docmind.server.routes.checking import router as checking
from docmind.server.routes.completions import router as completions
from docmind.server.routes.documents import router as documents
from docmind.server.routes.documents import viewing
from docmind.server.routes.facilities import router as facilities
from docmind.server.routes.keys import router as keys
from docmind.server.routes.runs import feedback
from docmind.server.routes.runs import router as runs
from docmind.server.routes.search import router as search
from docmind.server.routes.service import counts as metrics_route
from docmind.server.routes.service import health
from docmind.server.routes.service import router as service
from docmind.server.routes.settings import reindexing as reindexing_route
from docmind.server.routes.settings import router as settings
from docmind.server.routes.suggestions import examples
from docmind.server.routes.suggestions import router as suggestions
from docmind.server.routes.threads import conversations
from docmind.server.routes.threads import router as threads
from docmind.server.routes.uploads import queue as upload_queue
from docmind.server.routes.uploads import router as uploads
from docmind.server.routes.workspaces import router as workspaces
from docmind.server.running import Server, close_for_restoring
from docmind.server.watchers import open_telemetry
from docmind.version import VERSION

_RESOURCES = (
    health,
    metrics_route,
    service,
    asking,
    runs,
    threads,
    conversations,
    feedback,
    search,
    checking,
    uploads,
    upload_queue,
    documents,
    examples,
    viewing,
    facilities,
    suggestions,
    workspaces,
    completions,
    settings,
    reindexing_route,
    keys,
)


Besides = Callable[[Backend], AbstractAsyncContextManager[None]]
"""What a service does beside answering requests, for as long as it runs."""


def create_app(engine: DocMind, *, suggests: bool = False, besides: Sequence[Besides] = ()) -> FastAPI:
    """The application. Whoever opened the engine closes it, once the application is no longer asked.

    One that `suggests` asks questions of its own while nobody else does, to suggest those that are surely answered.
    """
    backend, metrics, telemetry = Backend(engine), Metrics(), open_telemetry()
    engine.watches.extend([metrics] if telemetry is None else [metrics, telemetry])
    tools = McpRoute(backend)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async with tools.open(), reading_uploads(engine), reindexing(engine), AsyncExitStack() as opened:
            if suggests:
                await opened.enter_async_context(finding_suggestions(backend))
            for other in besides:
                await opened.enter_async_context(other(backend))
            yield
        if telemetry is not None:
            telemetry.close()

    app = FastAPI(
        title="DocMind",
        description="Ask your own documents, and see exactly where each answer comes from.",
        version=VERSION,
        # FastAPI's pages for people load their scripts from elsewhere; the page at /docs works without a network.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation,
        lifespan=lifespan,
    )
    app.state.backend, app.state.metrics = backend, metrics
    # The last that is added sees a request first.
    app.add_middleware(BodyLimit, limits=lambda: engine.settings.server)
    app.add_middleware(Gate, keys=lambda: engine.keys)
    app.add_middleware(Guard, hosts=engine.settings.server.named_hosts)
    if telemetry is not None:
        telemetry.install(app)
    app.add_middleware(Counting, metrics=metrics)
    errors.install(app)
    for resource in _RESOURCES:
        _summarise(resource)
        app.include_router(resource)
    app.router.routes.append(tools.route)
    page.install(app)
    return app


def create_server(app: FastAPI) -> Server:
    """What serves the application."""
    # Outside of everything, also of what answers when something unexpected goes wrong.
    return Server(BodyDrain(app), lambda: app.state.backend)


def serve(engine: DocMind, listener: socket, besides: Sequence[Besides] = ()) -> None:
    """Serve an engine until told to stop."""
    while True:
        server = create_server(create_app(engine, suggests=engine.settings.server.suggestions, besides=besides))
        server.run_to_the_end(listener)
        if not server.makes_room:
            return
        close_for_restoring(engine)


def _operation(route: APIRoute) -> str:
    """The name of a route in the API's description, from which programs generate theirs."""
    return route.name


def _summarise(router: APIRouter) -> None:
    """Give each route the first sentence of its description as its title; FastAPI would take its function's name."""
    for route in router.routes:
        if isinstance(route, APIRoute) and route.description:
            sentence, end, _ = " ".join(route.description.split()).partition(". ")
            route.summary = f"{sentence}." if end else sentence
