"""Bodies too large to be meant are refused before any route reads them, whether or not they say how long they are.
What was answered without being read is read to its end, so that the answer arrives.
"""

from collections.abc import Callable

from anyio import move_on_after
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.server.errors import BODY_TOO_LARGE, problem
from docmind.settings import ServerSettings

UPLOADS = ("/v1/documents", "/v1/uploads", "/v1/facilities")
"""Where files come in."""

DRAINED_BYTES = 16 << 20
DRAINED_S = 5.0
"""How much of a body that nobody wants is read, and for how long."""


class BodyLimit:
    def __init__(self, app: ASGIApp, limits: Callable[[], ServerSettings]) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limits = self._limits()
        most = limits.upload_mb << 20 if scope["path"] in UPLOADS else limits.body_kb << 10
        if int(Headers(scope=scope).get("content-length", "0")) > most:
            await problem(BODY_TOO_LARGE, _too_large(most))(scope, receive, send)
        else:
            await self._app(scope, _limited(receive, most), send)


class BodyDrain:
    """Reads what is left of a body before the end of the answer goes out.

    A server that closes a connection on which something unread arrives resets it, and the client may lose the answer
    with it. The connection is closed after an unexpected error, and where the client asks for that.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        if "content-length" not in headers and "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        # Whoever waits to be told whether to send it sends nothing after a refusal.
        unread = "expect" not in headers

        async def receiving() -> Message:
            nonlocal unread
            message = await receive()
            unread = message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            if unread and message["type"] == "http.response.body" and not message.get("more_body", False):
                # The client has the whole answer before its body is waited for.
                await send({**message, "more_body": True})
                await _drain(receiving)
                message = {"type": "http.response.body"}
            await send(message)

        await self._app(scope, receiving, sending)


async def _drain(receive: Receive) -> None:
    left = DRAINED_BYTES
    with move_on_after(DRAINED_S):
        while left > 0:
            message = await receive()
            left -= len(message.get("body", b""))
            if not message.get("more_body", False):
                return


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
