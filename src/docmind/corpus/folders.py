"""Keeps folders and the store in step: what was added or changed is read, what is gone is taken out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docmind.corpus.attachments import Attachments
from docmind.corpus.discover import Unit, Unreadable, files_below, printable, units_of
from docmind.corpus.load import Limits
from docmind.domain.documents import Document

State = tuple[int, int, int]
"""By what a file is seen to have changed: its number on the disk, its size and its time of change."""


@dataclass(slots=True)
class Folders:
    """Folders as they were when they were last looked at."""

    roots: Sequence[Path]
    """Absolute, none within another."""
    excluded: Path
    """The data folder: what DocMind itself writes is not watched."""
    _states: dict[Path, State] = field(default_factory=dict)
    _read: set[str] = field(default_factory=set)
    """The sources that the files which changed last hold: themselves, or the members of an archive."""
    _broken: set[str] = field(default_factory=set)
    """Those of them that could not be opened."""

    def missing(self) -> list[Path]:
        """The folders that are not there. Their documents stay: a disk may have been taken out."""
        return [root for root in self.roots if not root.exists()]

    def changed(self) -> list[Path]:
        """The files that are new or not as they were; from now on they count as seen."""
        states = dict(self._looked())
        fresh = [file for file, state in states.items() if self._states.get(file) != state]
        # A folder that is away keeps what it had.
        away = self.missing()
        kept = {file: state for file, state in self._states.items() if any(map(file.is_relative_to, away))}
        self._states = {**kept, **states}
        self._read, self._broken = set(), set()
        return fresh

    def forget(self, files: Sequence[Path]) -> None:
        """Have these count as changed: what became of them did not come in."""
        for file in files:
            self._states.pop(file, None)

    def units(self, files: Sequence[Path], limits: Limits) -> Iterator[Unit | Unreadable]:
        """What is to be read of these files, under the names that `docmind ingest` gives them."""
        with Attachments(limits) as mails:
            for file in files:
                root = next(root for root in self.roots if file.is_relative_to(root))
                name = printable(file.relative_to(root.parent))
                for unit in units_of(file, printable(file), name, limits, mails):
                    self._read.add(unit.source)
                    if isinstance(unit, Unreadable):
                        self._broken.add(unit.source)
                    yield unit

    def gone(self, documents: Sequence[Document], files: Sequence[Path]) -> list[Document]:
        """Of these documents, those of the folders whose file is there no more; `files` were read just now."""
        there = {printable(file) for file in self._states}
        read = {printable(file) for file in files} - self._broken
        away = tuple(f"{printable(root)}/" for root in self.missing())
        below = tuple(f"{printable(root)}/" for root in self.roots)
        ours = [one for one in documents if one.source.startswith(below) and not one.source.startswith(away)]
        return [one for one in ours if not self._holds(one.source, there, read)]

    def _holds(self, source: str, there: set[str], read: set[str]) -> bool:
        """True if the file is there, or the archive or e-mail with this member in it as far as that is known."""
        if source in there:
            return True
        file, bang, rest = source.partition("!")
        while bang:
            if file in there:
                return file not in read or source in self._read
            more, bang, rest = rest.partition("!")
            file = f"{file}!{more}"
        return False

    def _looked(self) -> Iterator[tuple[Path, State]]:
        for root in self.roots:
            for file in files_below(root):
                if file.is_relative_to(self.excluded):
                    continue
                try:
                    found = file.stat()
                except OSError:
                    # It went away between being listed and being looked at.
                    continue
                yield file, (found.st_ino, found.st_size, found.st_mtime_ns)
