"""The page at `/` and the API's documentation at `/docs`: files of this package, and nothing foreign runs in them."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

if TYPE_CHECKING:
    from fastapi import FastAPI

STATIC = Path(__file__).parent / "static"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        # Styles are set by our scripts, property by property, which needs no permission; a style in markup is refused.
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        # A string can only become markup through the sanitiser.
        "require-trusted-types-for 'script'",
        "trusted-types dompurify",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
DOCS_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Swagger UI's own icons are written into its styles.
        "img-src 'self' data:",
        "connect-src 'self'",
        # Swagger UI sets markup as strings; the default policy of `docs.js` sends each through the sanitiser.
        "require-trusted-types-for 'script'",
        "trusted-types default dompurify dompurify#swagger",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    # Kept, but never used without asking whether it is still the same: a new version shows at once.
    "Cache-Control": "no-cache",
}


PARTS = "/static"
_FILES = {"/": ("index.html", POLICY), "/docs": ("docs.html", DOCS_POLICY)}


class _Files(StaticFiles):
    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(HEADERS)
        return response


def install(app: "FastAPI") -> None:
    """Serve the page at `/`, the API's documentation at `/docs`, and the parts of both under `/static`."""
    for path in _FILES:
        app.add_api_route(path, _answer(path), include_in_schema=False)
    app.mount(PARTS, _Files(directory=STATIC))


def alone() -> ASGIApp:
    """The same without an application."""
    return Router([*(Route(path, _answer(path)) for path in _FILES), Mount(PARTS, _Files(directory=STATIC))])


def is_part_of_it(scope: Scope) -> bool:
    return scope["type"] == "http" and (scope["path"] in _FILES or scope["path"].startswith(f"{PARTS}/"))


def _answer(path: str) -> Callable[[Request], Awaitable[Response]]:
    name, policy = _FILES[path]

    async def answer(_request: Request) -> Response:
        return FileResponse(STATIC / name, headers=HEADERS | {"Content-Security-Policy": policy})

    return answer
