"""What is refused before any route sees it: requests meant for another host, and bodies too large to be a question."""

from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.server.errors import BODY_TOO_LARGE, FOREIGN_HOST, problem

MAX_BODY_BYTES = 64 << 10

_TOO_LARGE = f"The body may have {MAX_BODY_BYTES:,} bytes at most."


def is_this_machine(host: str) -> bool:
    """Whether a host name or address can only ever mean the machine it is used on."""
    try:
        return host.casefold() == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """A web page can have a browser send requests here under the page's own host name, and read the answers once that
    name resolves to this machine. Only the `Host` header tells such requests from a person's own.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = _without_port(headers.get("host", ""))
        if not is_this_machine(host):
            detail = f"Ask as localhost or 127.0.0.1: {host[:80]!r} is not a name of this machine alone."
            await problem(FOREIGN_HOST, detail)(scope, receive, send)
        elif int(headers.get("content-length", "0")) > MAX_BODY_BYTES:
            await problem(BODY_TOO_LARGE, _TOO_LARGE)(scope, receive, send)
        else:
            await self._app(scope, _limited(receive), send)


def _limited(receive: Receive) -> Receive:
    """For a body that does not say beforehand how long it is."""
    received = 0

    async def limited() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > MAX_BODY_BYTES:
            raise HTTPException(BODY_TOO_LARGE.status, _TOO_LARGE)
        return message

    return limited


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
