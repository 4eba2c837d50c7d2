"""Parts of an engine that are opened when first needed, once, by whichever thread comes first."""

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from docmind.domain.errors import StoreError

if TYPE_CHECKING:
    from docmind.settings import Settings

Part = TypeVar("Part")


class Parts:
    """Keeps what was opened, until `close`; what is needed after that is opened again, until `end`."""

    settings: "Settings"

    def __init__(self) -> None:
        self._lock = RLock()
        self._open: dict[str, Any] = {}
        self._has_ended = False
        # Another lock: building these may take long, and runs under way need the other parts meanwhile.
        self._renewing = RLock()
        self._renewed: dict[str, tuple[Settings, Any]] = {}

    def close(self) -> None:
        with self._lock:
            for part in reversed(list(self._open.values())):
                if hasattr(part, "close"):
                    part.close()
            self._open.clear()
            # They hold on to what was closed.
            self._renewed.clear()

    def end(self) -> None:
        """Close, for good: a thread that is still at work must not open what nobody would close."""
        self.close()
        with self._lock:
            self._has_ended = True
        # What such a thread has opened meanwhile.
        self.close()


def once(build: Callable[[Any], Part]) -> Part:
    """A property whose value is built at the first use and kept."""

    def get(parts: Parts) -> Part:
        with parts._lock:
            if build.__name__ not in parts._open:
                if parts._has_ended:
                    raise StoreError("This engine was closed. Open another one.")
                parts._open[build.__name__] = build(parts)
            return parts._open[build.__name__]  # type: ignore[no-any-return]

    return property(get, doc=build.__doc__)  # type: ignore[return-value]


def renewed(build: Callable[[Any, "Settings"], Part]) -> Part:
    """A property whose value is built anew when the settings have changed; whoever has the old one may go on with it.

    It must not need closing.
    """

    def get(parts: Parts) -> Part:
        with parts._renewing:
            settings = parts.settings
            built = parts._renewed.get(build.__name__)
            if built is None or built[0] is not settings:
                built = parts._renewed[build.__name__] = settings, build(parts, settings)
            return built[1]

    return property(get, doc=build.__doc__)  # type: ignore[return-value]
