"""The door: whoever asks shows a key before anything of their request is read, as soon as there are keys."""

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from docmind.domain.errors import DocMindError, Unauthorized
from docmind.memory.keys import Keys
from docmind.server.auth import LOCAL, Caller
from docmind.server.errors import problem_of
from docmind.server.hosts import is_this_machine

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
