"""Parts of an engine that are opened when first needed, once, by whichever thread comes first."""

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

Part = TypeVar("Part")


class Parts:
    """Keeps what was opened, until `close`."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._open: dict[str, Any] = {}

    def close(self) -> None:
        with self._lock:
            for part in reversed(list(self._open.values())):
                if hasattr(part, "close"):
                    part.close()
            self._open.clear()


def once(build: Callable[[Any], Part]) -> Part:
    """A property whose value is built at the first use and kept."""

    def get(parts: Parts) -> Part:
        with parts._lock:
            if build.__name__ not in parts._open:
                parts._open[build.__name__] = build(parts)
            return parts._open[build.__name__]  # type: ignore[no-any-return]

    return property(get, doc=build.__doc__)  # type: ignore[return-value]
