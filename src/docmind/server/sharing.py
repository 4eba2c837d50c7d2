"""How exports leave the service: as files to be saved, never as pages that a browser would show on this address."""

from typing import Annotated, Any, Literal

from fastapi.responses import Response
from pydantic import Field

from docmind.server.deps import Scoped

_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
PAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export; with `format=html` a page of HTML.",
        "content": {"text/html": {"schema": {"type": "string"}}},
    }
}
"""For a route's `responses`."""


class Exporting(Scoped):
    format: Annotated[
        Literal["json", "html"], Field(description="`json` for programs, or `html`: one file that people can read.")
    ] = "json"


def download(name: str) -> dict[str, str]:
    """The headers of a file to be saved under this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def shared(page: str, name: str) -> Response:
    return Response(
        page,
        media_type="text/html",
        headers=download(f"{name}.html") | {"Content-Security-Policy": _SANDBOX},
    )
