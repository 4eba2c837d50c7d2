"""How much a workspace may hold: files and bytes, counted before anything more is taken in."""

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

from docmind.domain.errors import QuotaExceeded


@dataclass(frozen=True, slots=True)
class Size:
    """So many documents, and the bytes of their files."""

    files: int = 0
    bytes: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(self.files + other.files, self.bytes + other.bytes)

    @classmethod
    def of(cls, file: Path, name: str) -> "Size":
        """What a file comes to once it is read: of an archive all that is in it."""
        if PurePath(name).suffix.lower() == ".zip":
            try:
                with zipfile.ZipFile(file) as archive:
                    members = [one for one in archive.infolist() if not one.is_dir()]
            except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
                # What is wrong with it is told when it is read, and nothing of it is kept.
                return cls()
            return cls(len(members), sum(one.file_size for one in members))
        try:
            return cls(1, file.stat().st_size)
        except FileNotFoundError:
            return cls(1)


@dataclass(frozen=True, slots=True)
class Quota:
    """The most that a workspace may hold; None where there is no limit."""

    files: int | None = None
    megabytes: int | None = None

    @property
    def is_set(self) -> bool:
        return self.files is not None or self.megabytes is not None

    def require_room(self, workspace: str, held: Size, new: Iterable[Size]) -> None:
        """Refuse what would be more than the workspace may hold; nothing of it is taken in then."""
        added = sum(new, Size())
        after = held + added
        if self.files is not None and added.files and after.files > self.files:
            raise QuotaExceeded(
                f"Workspace {workspace!r} may hold {self.files:,} documents. It has {held.files:,}, and this upload "
                f"has {added.files:,} more. Delete documents that are not needed, or ask whoever runs this service."
            )
        if self.megabytes is not None and added.bytes and after.bytes > self.megabytes << 20:
            raise QuotaExceeded(
                f"Workspace {workspace!r} may keep {self.megabytes:,} MB of files. It keeps {_mb(held.bytes)}, and "
                f"this upload has {_mb(added.bytes)} more. Delete documents that are not needed, or ask whoever runs "
                "this service."
            )


def _mb(size: int) -> str:
    return f"{size / (1 << 20):,.1f} MB"
