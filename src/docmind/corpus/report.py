"""What became of the files that were brought in: each told as it is done, all of them counted."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    ADDED = "added"
    UPDATED = "updated"
    """It took the place of what was there under the same name."""
    UNCHANGED = "unchanged"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of one file."""

    name: str
    outcome: Outcome
    document: str | None = None
    """The document it is now."""
    reason: str = ""
    """Why it was rejected."""
    notes: tuple[str, ...] = ()
    """What of it could not be used though it was read."""


@dataclass(frozen=True, slots=True)
class Rejection:
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """What of a file could not be used though it was read."""

    name: str
    text: str


@dataclass(slots=True)
class IngestReport:
    """What became of every file."""

    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    passages: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    @property
    def files(self) -> int:
        return self.added + self.replaced + self.unchanged + len(self.rejected)

    def count(self, filed: Filed, passages: int = 0) -> None:
        match filed.outcome:
            case Outcome.ADDED:
                self.added += 1
            case Outcome.UPDATED:
                self.replaced += 1
            case Outcome.UNCHANGED:
                self.unchanged += 1
            case Outcome.REJECTED:
                self.rejected.append(Rejection(filed.name, filed.reason))
        self.passages += passages
        self.notes += (Note(filed.name, text) for text in filed.notes)


Progress = Callable[[Filed, IngestReport], None]
"""Called with each file that is done and the report so far."""


@dataclass(frozen=True, slots=True)
class Filing:
    """Counts each file that is done, and tells whoever wants to know."""

    progress: Progress | None
    report: IngestReport = field(default_factory=IngestReport)

    def done(self, filed: Filed, passages: int = 0) -> None:
        self.report.count(filed, passages)
        if self.progress:
            self.progress(filed, self.report)
