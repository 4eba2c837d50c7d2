"""The service put together: an application over an engine, and the one worker that runs it."""

from importlib.metadata import version

import uvicorn
from fastapi import FastAPI
from fastapi.routing import APIRoute

from docmind.runtime.engine import DocMind
from docmind.server import errors
from docmind.server.deps import Backend
from docmind.server.guard import Guard
from docmind.server.routes import documents, health, search

LAST_ANSWERS_S = 10
"""How long, after it was told to stop, the service waits for answers under way."""


def create_app(engine: DocMind) -> FastAPI:
    """The application. Whoever opened the engine closes it, once the application is no longer asked."""
    app = FastAPI(
        title="DocMind",
        description="Your own documents, searched and cited to the character.",
        version=version("docmind"),
        # FastAPI's pages for people load their scripts from elsewhere; this service works without a network.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation,
    )
    app.state.backend = Backend(engine)
    app.add_middleware(Guard)
    errors.install(app)
    for resource in (health, search, documents):
        app.include_router(resource.router)
    return app


def create_server(app: FastAPI) -> uvicorn.Server:
    """One worker, which speaks up only when something is wrong."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            lifespan="off",
            ws="none",
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=LAST_ANSWERS_S,
        )
    )


def _operation(route: APIRoute) -> str:
    """The name of a route in the API's description, from which programs generate theirs."""
    return route.name
