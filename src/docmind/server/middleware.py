"""What a request passes before any route reads it: its host and origin, its key, and the size of its body."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from anyio import CapacityLimiter, move_on_after, to_thread
from fastapi import Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.domain.errors import DocMindError, Unauthorized
from docmind.memory.keys import Keys
from docmind.server.auth import LOCAL, Caller
from docmind.server.errors import BODY_TOO_LARGE, FOREIGN_HOST, FOREIGN_ORIGIN, problem, problem_of
from docmind.server.hosts import is_this_machine
from docmind.settings import ServerSettings

PROBES = ("/healthz", "/readyz")
"""Whoever watches over machines asks them by addresses that nobody can list, and learns nothing of any document."""


class Guard:
    """A web page can have a browser send requests here under the page's own host name, and read the answers once that
    name resolves to this machine: only the `Host` header tells such requests from a person's own. It can also send them
    under our name without reading the answers, which is enough to delete something: `Origin` tells these.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app = app
        self._hosts = {host.casefold() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(_without_port(host)):
            detail = (
                f"{_without_port(host)[:80]!r} is not a host name of this service. Use localhost or 127.0.0.1, "
                "or add it to DOCMIND_SERVER__HOSTS."
            )
            await problem(FOREIGN_HOST, detail)(scope, receive, send)
        elif origin is not None and not self._is_own_page(origin, host):
            detail = f"A page of {origin[:80]!r} may not send requests here; only the service's own page may."
            await problem(FOREIGN_ORIGIN, detail)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _is_ours(self, host: str) -> bool:
        return is_this_machine(host) or host.casefold() in self._hosts

    def _is_own_page(self, origin: str, host: str) -> bool:
        """Compared without the scheme, and with the names that are ours: a proxy may change both before we see them."""
        try:
            page = urlsplit(origin)
            return page.netloc.casefold() == host.casefold() or (page.hostname or "") in self._hosts
        except ValueError:
            return False


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


OPEN_PATHS = frozenset({"/", "/docs", "/favicon.ico", "/healthz", "/readyz", "/openapi.json"})
OPEN_BELOW = "/static/"
"""What anybody may see: that the service is there, and the page, which holds nothing by itself."""

METRICS = "/metrics"
"""Whoever watches over the machine itself may read it without a key: it names nobody and no document."""

_LOOKUPS_AT_ONCE = 4


class Gate:
    """Every path is closed unless it is named above, so that no new route can be forgotten."""

    def __init__(self, app: ASGIApp, keys: Callable[[], Keys]) -> None:
        self._app = app
        self._keys = keys
        self._looking = CapacityLimiter(_LOOKUPS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS or scope["path"].startswith(OPEN_BELOW):
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        try:
            request.state.caller = await to_thread.run_sync(self._admit, request, limiter=self._looking)
        except DocMindError as error:
            await problem_of(error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _admit(self, request: Request) -> Caller:
        keys, (scheme, _, token) = self._keys(), request.headers.get("authorization", "").partition(" ")
        # A proxy on this machine forwards what others ask, and says for whom.
        local = request.client is not None and is_this_machine(request.client.host)
        if local and request.url.path == METRICS:
            return LOCAL
        if scheme.casefold() == "bearer" and (key := keys.find(token.strip())):
            keys.spend(key)
            return Caller.with_key(key)
        if keys.exist():
            raise Unauthorized(
                "This key is unknown or has been revoked."
                if token
                else "This service needs an API key: send it as `Authorization: Bearer dm_…`."
            )
        if not local:
            raise Unauthorized("There are no keys yet, so only the service's own machine can use it.")
        return LOCAL


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
