"""The file that a backup is: a ZIP archive without compression, whose last member lists the others with their hashes.

Nothing is compressed, so that a file never unpacks to more than its own size. Only names that a backup writes are read.
"""

import hashlib
import json
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from docmind.corpus.originals import LABEL
from docmind.domain.errors import FileRejected, StoreError
from docmind.runtime.data_folder import CACHE, DATABASES, ORIGINALS
from docmind.version import VERSION

FORMAT = 1
_MANIFEST = "backup.json"
_NAMES = re.compile(
    rf"(?:{'|'.join(map(re.escape, (*DATABASES, CACHE)))}"
    rf"|{ORIGINALS}/[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}(?:{re.escape(LABEL)})?|{ORIGINALS}/queued/[0-9a-f]{{32}})",
    re.ASCII,
)
_LARGEST_MANIFEST = 1 << 30
_PIECE = 1 << 20


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Member(_Strict):
    name: str
    size: int = Field(ge=0)
    sha256: str


class Manifest(_Strict):
    """What a backup says of itself."""

    format: int
    docmind: str
    """The version that wrote it."""
    made: str
    database: Literal["files", "postgresql"]
    """Where documents, runs, memory and keys were kept; only those in files are in the backup."""
    members: tuple[Member, ...]

    @property
    def size(self) -> int:
        return sum(member.size for member in self.members)


class Writer:
    """Adds members to an archive that is being made."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._members: list[Member] = []

    def add(self, name: str, file: Path) -> None:
        digest, size = hashlib.sha256(), 0
        with file.open("rb") as read, self._archive.open(_entry(name), "w", force_zip64=True) as written:
            while piece := read.read(_PIECE):
                written.write(piece)
                digest.update(piece)
                size += len(piece)
        self._members.append(Member(name=name, size=size, sha256=digest.hexdigest()))

    def finish(self, made: str, database: Literal["files", "postgresql"]) -> Manifest:
        members = tuple(self._members)
        manifest = Manifest(format=FORMAT, docmind=VERSION, made=made, database=database, members=members)
        self._archive.writestr(_entry(_MANIFEST), manifest.model_dump_json(indent=1))
        return manifest


@contextmanager
def written(file: Path) -> Iterator[Writer]:
    """A backup that is there, whole and for its owner alone, once the block has ended well, and not before."""
    draft = file.with_name(f"{file.name}.draft")
    try:
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w+b") as opened:
            with zipfile.ZipFile(opened, "w", zipfile.ZIP_STORED) as archive:
                yield Writer(archive)
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(file)
    except OSError as error:
        raise StoreError(f"The backup {file} cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)


class Reader:
    """A backup whose list of members was checked; their content is checked as it is read."""

    def __init__(self, archive: zipfile.ZipFile, size: int) -> None:
        self._archive = archive
        self.manifest = _manifest(archive)
        _check_entries(archive, self.manifest, size)

    def check(self) -> None:
        """Read everything once: what was changed or torn is found before anything is written."""
        for member in self.manifest.members:
            for _ in self._content(member):
                pass

    def unpack(self, folder: Path) -> None:
        """Write every member to its place below an empty folder."""
        for member in self.manifest.members:
            place = folder / member.name
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
                for piece in self._content(member):
                    opened.write(piece)
                opened.flush()
                os.fsync(opened.fileno())

    def _content(self, member: Member) -> Iterator[bytes]:
        digest = hashlib.sha256()
        try:
            with self._archive.open(member.name) as opened:
                for piece in _pieces(opened):
                    digest.update(piece)
                    yield piece
        except (zipfile.BadZipFile, EOFError):
            # Its checksum does not fit, or what stands before it is not what the archive says.
            digest.update(b"damaged")
        if digest.hexdigest() != member.sha256:
            raise _refused(self._archive.filename, f"its member {member.name} is not what was backed up")


@contextmanager
def opened(file: Path) -> Iterator[Reader]:
    """A backup to read; whatever is wrong with it is told in a sentence."""
    with ExitStack() as held:
        try:
            archive = held.enter_context(zipfile.ZipFile(file))
            reader = Reader(archive, file.stat().st_size)
        except FileNotFoundError:
            raise StoreError(f"There is no file {str(file)!r}.") from None
        except (zipfile.BadZipFile, EOFError) as error:
            raise _refused(file, "it is no backup, or not a whole one") from error
        except FileRejected as error:
            raise _refused(file, str(error)) from error
        yield reader


def _refused(file: object, reason: str) -> StoreError:
    return StoreError(f"{file} cannot be restored: {reason}. Nothing was changed.")


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    entries = [entry for entry in archive.infolist() if entry.filename == _MANIFEST]
    if len(entries) != 1 or entries[0].file_size > _LARGEST_MANIFEST or not _is_plain(entries[0]):
        raise FileRejected("it has no list of what is in it, so it is no backup")
    try:
        told = json.loads(archive.read(entries[0]))
        if isinstance(told, dict) and told.get("format") != FORMAT:
            raise FileRejected(f"its format is {told.get('format')!r}, and this version of DocMind reads {FORMAT}")
        return Manifest.model_validate(told)
    except (ValidationError, ValueError, RecursionError) as error:
        raise FileRejected("the list of what is in it is damaged") from error


def _check_entries(archive: zipfile.ZipFile, manifest: Manifest, size: int) -> None:
    entries = {entry.filename: entry for entry in archive.infolist()}
    listed = {member.name: member for member in manifest.members}
    if len(listed) != len(manifest.members) or len(entries) != len(archive.infolist()):
        raise FileRejected("it holds something twice")
    if entries.keys() - {_MANIFEST} != listed.keys():
        raise FileRejected("what is in it is not what its list says")
    for name, member in listed.items():
        if not _NAMES.fullmatch(name):
            raise FileRejected(f"it holds {name[:80]!r}, which no backup holds")
        if not _is_plain(entries[name]) or entries[name].file_size != member.size:
            raise FileRejected(f"its member {name} is not as a backup writes it")
    if manifest.size > size:
        raise FileRejected("it says that it holds more than it is long")


def _is_plain(entry: zipfile.ZipInfo) -> bool:
    """A file, neither a link nor compressed nor encrypted."""
    return (
        entry.compress_type == zipfile.ZIP_STORED
        and entry.compress_size == entry.file_size
        and not entry.flag_bits & 0x1
        and stat.S_IFMT(entry.external_attr >> 16) in (0, stat.S_IFREG)
    )


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFREG | 0o600) << 16
    return entry


def _pieces(opened: IO[bytes]) -> Iterator[bytes]:
    while piece := opened.read(_PIECE):
        yield piece
