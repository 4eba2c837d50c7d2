"""Requests that a web page had a browser send are refused: those under a foreign host name or from a foreign origin."""

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from docmind.server.errors import FOREIGN_HOST, FOREIGN_ORIGIN, problem
from docmind.server.hosts import is_this_machine

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
