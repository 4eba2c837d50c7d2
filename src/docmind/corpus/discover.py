"""Walk what a person points at, files, folders and archives, into one stream of things to read."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from docmind.corpus.attachments import EMAIL, Attachments
from docmind.corpus.load import Limits, Member, Rejected, expand
from docmind.domain.errors import FileRejected, NotFound


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
