"""Every error a caller can meet, as one tree.

DocMindError                 anything this package raises on purpose
├── SettingsError            a setting is misspelt, missing or contradicts another
│   └── InvalidSetting       a change of settings that cannot be made
├── InvalidScope             a workspace or user name that cannot be one
├── InvalidQuery             a question, text or filter that cannot be worked with
├── Unauthorized             no key, or none that is known
├── Forbidden                a key that does not reach there, or may not do that
├── RateLimited              a key was used too often; `wait_s` says when it may be again
├── NotFound                 no such document, workspace, run, thread or file
├── QuotaExceeded            the workspace would hold more than it may
├── DuplicateDocument        everything that was brought in is there already
├── UnderWay                 the run or its conversation is being worked on already (retryable)
├── Busy                     as much is under way as may be at once (retryable); `wait_s` says when to come again
├── FileRejected             one file cannot be read; the reason is the message
├── EmbeddingError           the embedder failed, is unknown, or does not fit the store
├── ReaderError              the reader that judges claims and finds answers failed
├── ModelError               the chat model failed, is unknown or cannot be reached (`retryable` where waiting helps)
├── BudgetExhausted          the next model call would pass a limit of the run
├── StoreError               the document store failed
│   ├── StoreLocked          another process holds the embedded store and cannot share it
│   ├── StoreUnavailable     the Qdrant server does not answer (retryable)
│   └── StoreMismatch        the store was made by another embedder or version
└── BenchError               a benchmark cannot run as asked

Messages are whole sentences for the person at the keyboard. `retryable` says whether the same call can succeed later.
What a failure had already spent is its `usage`.
"""

from docmind.domain import budget


class DocMindError(Exception):
    """Anything this package raises on purpose."""

    retryable = False
    wait_s = 0.0
    """How long to wait before trying again, where that is known."""


class SettingsError(DocMindError):
    """A setting is misspelt, missing or contradicts another."""


class InvalidSetting(SettingsError):
    """A change of settings that cannot be made; nothing was changed."""


class InvalidScope(DocMindError):
    """A workspace or user name that cannot be one."""


class InvalidQuery(DocMindError):
    """A question, text or filter that cannot be worked with."""


class Unauthorized(DocMindError):
    """No key, or none that is known."""


class Forbidden(DocMindError):
    """A key that does not reach there, or may not do that."""


class RateLimited(DocMindError):
    """A key was used too often."""

    retryable = True

    def __init__(self, message: str, *, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class NotFound(DocMindError):
    """No such document, workspace, run, thread or file."""


class QuotaExceeded(DocMindError):
    """The workspace would hold more than it may."""


class DuplicateDocument(DocMindError):
    """Everything that was brought in is there already."""


class UnderWay(DocMindError):
    """The run or its conversation is being worked on already."""

    retryable = True


class Busy(DocMindError):
    """As much is under way as may be at once, or the service is about to stop."""

    retryable = True

    def __init__(self, message: str, *, wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class FileRejected(DocMindError):
    """One file cannot be read; the message is the reason, without the file's name."""


class EmbeddingError(DocMindError):
    """The embedder failed, is unknown, or does not fit the store."""


class ReaderError(DocMindError):
    """The reader that judges claims and finds answers failed."""


class ModelError(DocMindError):
    """The chat model failed, is unknown or cannot be reached."""

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        usage: budget.Usage | None = None,
        wait_s: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.usage = usage or budget.Usage()
        """What this call spent, over all its attempts."""
        self.wait_s = wait_s
        """How long the provider asks to be left alone, where it says so."""


class BudgetExhausted(DocMindError):
    """The next model call would pass a limit of the run."""

    def __init__(self, message: str, *, usage: budget.Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or budget.Usage()
        """What the run had spent when the call was refused."""


class StoreError(DocMindError):
    """The document store failed."""


class StoreLocked(StoreError):
    """Another process holds the embedded store and cannot share it."""


class StoreUnavailable(StoreError):
    """The Qdrant server does not answer."""

    retryable = True


class StoreMismatch(StoreError):
    """The store was made by another embedder or by an incompatible version."""


class BenchError(DocMindError):
    """A benchmark cannot run as asked."""
