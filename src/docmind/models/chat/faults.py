"""What a provider's exception means: each has its own classes, but all carry a status or come from the connection."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from docmind.domain.addresses import MASK
from docmind.domain.errors import ModelError

# Too slow, too early, too many: the same request can succeed later.
_PASSING = frozenset({408, 425, 429})
# The roots of connection errors in the libraries providers use; by name, because not all of these are installed.
_CONNECTION = frozenset({"TransportError", "APIConnectionError", "ClientConnectionError", "OSError"})
# What Python raises in a client that takes apart a reply which is not built as its protocol says.
_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError)


def model_error(name: str, error: Exception, *, secret: str | None = None) -> ModelError:
    """The provider's exception as ours, on one line and not endless, and with stars in place of the secret."""
    told = str(error).replace(secret, MASK) if secret else str(error)
    said = (" ".join(told.split()) or type(error).__name__)[:400].rstrip(".")
    status = status_of(error)
    if status is None and isinstance(error, _UNREADABLE):
        return ModelError(f"The model {name} sent a reply that cannot be read ({said}).")
    passing = _broke_off(error) if status is None else status in _PASSING or status >= 500
    return ModelError(f"The model {name} failed: {said}.", retryable=passing, wait_s=asked_to_wait_s(error))


def status_of(error: Exception) -> int | None:
    """The HTTP status of a failure, wherever its provider keeps it and however often it was wrapped."""
    sources = (source for cause in _causes(error) for source in (cause, getattr(cause, "response", None)))
    statuses = (getattr(source, name, None) for source in sources for name in ("status_code", "code"))
    # A reply that came with success and could not be read has a status too, but none to judge by.
    return next((status for status in statuses if isinstance(status, int) and 400 <= status < 600), None)


def asked_to_wait_s(error: Exception) -> float:
    """The seconds after which the provider wants to be asked again, where it names them or a date."""
    named = _header(error, "retry-after")
    if named.isascii() and named.isdigit():
        return float(named)
    # Counted by the provider's own clock where it tells the time: ours may be another.
    then, now = _date(named), _date(_header(error, "date")) or datetime.now(UTC)
    return max(0.0, (then - now).total_seconds()) if then else 0.0


def _header(error: Exception, name: str) -> str:
    headers = (getattr(getattr(cause, "response", None), "headers", None) or {} for cause in _causes(error))
    return next((str(told) for found in headers if (told := found.get(name)) is not None), "")


def _date(header: str) -> datetime | None:
    try:
        read = parsedate_to_datetime(header)
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def _broke_off(error: Exception) -> bool:
    return any(kind.__name__ in _CONNECTION for cause in _causes(error) for kind in type(cause).__mro__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    following: BaseException | None = error
    while following is not None:
        yield following
        following = following.__cause__
