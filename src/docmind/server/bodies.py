"""Bodies too large to be meant are refused before any route reads them, whether or not they say how long they are."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.server.errors import BODY_TOO_LARGE, problem
from docmind.settings import ServerSettings

UPLOADS = ("/v1/documents", "/v1/facilities")
"""Where files come in."""


class BodyLimit:
    def __init__(self, app: ASGIApp, limits: ServerSettings) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._limits.upload_mb << 20 if scope["path"] in UPLOADS else self._limits.body_kb << 10
        if int(Headers(scope=scope).get("content-length", "0")) > most:
            await problem(BODY_TOO_LARGE, _too_large(most))(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, most), send)


def _limited(receive: Receive, most: int) -> Receive:
    """For a body that does not say beforehand how long it is."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise HTTPException(BODY_TOO_LARGE.status, _too_large(most))
        return message

    return limited


def _too_large(most: int) -> str:
    return f"The body may have {most:,} bytes at most."
