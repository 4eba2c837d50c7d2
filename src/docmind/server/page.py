"""The page at `/`: files of this package, sent under a policy by which nothing that a document says can run."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.responses import Response

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
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    # Kept, but never used without asking whether it is still the same: a new version shows at once.
    "Cache-Control": "no-cache",
}


class _Files(StaticFiles):
    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers.update(HEADERS)
        return response


def install(app: FastAPI) -> None:
    """Serve the page at `/` and its parts under `/static`."""

    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers=HEADERS)

    app.add_api_route("/", page, include_in_schema=False)
    app.mount("/static", _Files(directory=STATIC))
