"""Addresses of models and servers: shown without passwords, and told apart by whose they are."""

import re

MASK = "********"

# Up to the last @, because a password may hold one too.
_PASSWORD = re.compile(r"(://[^/@\s:]*):\S*@")
_HOST = re.compile(r"//(?:[^/?#]*@)?([^/?#@]*)")


def without_password(address: str) -> str:
    return _PASSWORD.sub(rf"\1:{MASK}@", address)


def provider_of(model: str | None) -> str | None:
    """Who gets the key of the model of that name: `openai`, or the server at its address; None without a model."""
    if not model:
        return None
    scheme, _, rest = model.partition(":")
    if scheme.casefold() not in ("http", "https"):
        return scheme if rest else None
    # A name and password before the host do not make it another server.
    host = _HOST.match(rest)
    return f"{scheme.casefold()}://{host[1].casefold() if host else rest}"
