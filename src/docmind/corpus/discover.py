"""Walks what a person points at, files, folders, archives and e-mails, and sees what changed in folders since."""

import base64
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Self

from docmind.corpus.load import Limits, Member, Rejected, expand
from docmind.corpus.load.mail import attachments
from docmind.corpus.readers import ProcessReaders
from docmind.domain.documents import Document
from docmind.domain.errors import FileRejected, NotFound

EMAIL = ".eml"
TIMEOUT_S = 60.0
_MAY_BE_ATTACHED = re.compile(rb"name\*?[0-9*]*\s*=|content-disposition:\s*attachment|message/rfc822", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Attached:
    name: str
    content: str = ""
    """Its bytes in base 64: what a reader answers is text."""
    reason: str = ""
    """Why it is not read."""


class Attachments:
    """Opens e-mails one after the other; its process is started for the first that has something attached."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._readers = ProcessReaders(partial(_split, limits), list[_Attached], 1, TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._readers.__exit__()

    def of(self, file: Path) -> list[Member | Rejected]:
        """The files attached to this e-mail; `FileRejected` where it cannot be taken apart."""
        if file.stat().st_size > self._limits.max_bytes or not _MAY_BE_ATTACHED.search(file.read_bytes()):
            return []
        ((_, found),) = self._readers.map([file])
        if isinstance(found, FileRejected):
            raise found
        return list(map(_received, found))


def _split(limits: Limits, file: Path) -> list[_Attached]:
    """Runs in a reader process."""
    return list(map(_sent, attachments(file.read_bytes(), limits)))


def _sent(one: Member | Rejected) -> _Attached:
    if isinstance(one, Rejected):
        return _Attached(one.name, reason=one.reason)
    return _Attached(one.name, base64.b64encode(one.data).decode())


def _received(one: _Attached) -> Member | Rejected:
    return Rejected(one.name, one.reason) if one.reason else Member(one.name, base64.b64decode(one.content))


@dataclass(frozen=True, slots=True)
class Unit:
    """One file to read: where it came from, what people call it, and its bytes or the path that has them."""

    source: str
    name: str
    content_hash: str
    content: Path | bytes
    media_type: str = ""
    """What a web server said of it; empty for files."""

    def read(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content.read_bytes()

    def with_bytes(self) -> "Unit":
        """The same for a machine that does not have the path."""
        return replace(self, content=self.read())


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot even be opened, with the reason."""

    source: str
    name: str
    reason: str


def discover(paths: Sequence[Path], limits: Limits) -> Iterator[Unit | Unreadable]:
    """Every file below `paths`, in a stable order; members of archives are named `archive!member`, and attachments of
    e-mails alike."""
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no file or folder {str(path)!r}.")
    with Attachments(limits) as mails:
        for root in separate_roots(paths):
            for file in files_below(root):
                yield from units_of(file, printable(file), printable(file.relative_to(root.parent)), limits, mails)


def count_files(paths: Sequence[Path]) -> int:
    """How many files lie below `paths`, an archive counted as one: what a progress bar wants to know beforehand."""
    return sum(1 for root in separate_roots(paths) for _ in files_below(root))


def separate_roots(paths: Iterable[Path]) -> list[Path]:
    """What was pointed at, less what lies below something else that was pointed at."""
    roots = dict.fromkeys(path.resolve() for path in paths)
    return [root for root in roots if roots.keys().isdisjoint(root.parents)]


def files_below(root: Path) -> Iterator[Path]:
    """The files that are read of a folder, in a stable order: nothing hidden, no links, pipes or devices."""
    if root.is_file():
        yield root
        return
    closed: list[Path] = []
    for folder, folders, files in os.walk(root, onerror=lambda error: closed.append(Path(error.filename))):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(folder, name)
            # A link may lead out of the folder that was pointed at, or round in a circle; a pipe never ends.
            if not name.startswith(".") and file.is_file() and not file.is_symlink():
                yield file
    # A folder that cannot be looked into is reported like a file that cannot be opened.
    yield from closed


def printable(path: Path) -> str:
    """The path as text that can be stored: a name may hold bytes that are no text in any encoding."""
    return path.as_posix().encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def units_of(
    file: Path, source: str, name: str, limits: Limits, mails: Attachments | None = None
) -> Iterator[Unit | Unreadable]:
    """What is to be read of one file: itself, an e-mail with its attachments, or every member of an archive."""
    try:
        found = file.stat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
            raise FileRejected("is neither a file nor a folder; a pipe or a device may never end.")
        kind = PurePath(name).suffix.lower()
        if kind == ".zip":
            yield from _members(expand(file, limits), source, name)
        elif found.st_size > limits.max_bytes:
            raise FileRejected(f"is larger than {limits.max_bytes >> 20:,} MB, which is the limit.")
        elif kind == EMAIL:
            with nullcontext(mails) if mails is not None else Attachments(limits) as opener:
                yield from _mail(file, source, name, opener)
        else:
            yield Unit(source, name, _hash_file(file), file)
    except OSError as error:
        yield Unreadable(source, name, f"cannot be opened: {error.strerror or error}.")
    except FileRejected as rejected:
        yield Unreadable(source, name, str(rejected))


def _mail(file: Path, source: str, name: str, mails: Attachments) -> Iterator[Unit | Unreadable]:
    # Taken out first: whoever keeps the e-mail may have moved the file by the time an attachment is asked for.
    attached = mails.of(file)
    yield Unit(source, name, _hash_file(file), file)
    yield from _members(attached, source, name)


def _members(members: Iterable[Member | Rejected], source: str, name: str) -> Iterator[Unit | Unreadable]:
    for member in members:
        inside = f"!{member.name}"
        if isinstance(member, Member):
            digest = hashlib.sha256(member.data).hexdigest()
            yield Unit(source + inside, name + inside, digest, member.data)
        else:
            yield Unreadable(source + inside, name + inside, member.reason)


def _hash_file(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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
