"""The files behind documents: uploads as they came in, kept by document, and what still lies where it was read from."""

import hashlib
import json
import os
import re
import shutil
import time
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID, uuid4

from docmind.corpus.discover import EMAIL, Attachments, Unit
from docmind.corpus.load import Limits, Member, Rejected, expand
from docmind.domain.documents import Document
from docmind.domain.errors import FileRejected, NotFound
from docmind.domain.files import private_file, private_folder

UPLOAD = "upload:"
"""Begins the source of an upload. No absolute path does, so an upload's name is never taken for a file of ours."""
KEPT = (UPLOAD, "http://", "https://")
"""How sources begin whose bytes are kept here: nobody else has them as they were read."""
LABEL = ".json"
_ABANDONED_AFTER_S = 24 * 3600.0
_LONGEST_NAME = 200
_SEPARATORS = re.compile(r"[/\\]")
_GONE = "was moved or deleted since it was read"
_CHANGED = "has changed since it was read; ingest it again"


def upload_name(given: str) -> str:
    """What people see of the name a client gave: its folders and itself, with nothing in it that hides or misleads."""
    shown = "".join(character for character in given if not unicodedata.category(character).startswith("C"))
    # The end is kept: it says what kind of file it is.
    parts = _SEPARATORS.split(unicodedata.normalize("NFC", shown)[-_LONGEST_NAME:])
    return "/".join(part for part in map(str.strip, parts) if part not in ("", ".", "..")) or "unnamed"


@dataclass(frozen=True, slots=True)
class Label:
    """What is written down beside an original, so that a damaged catalogue can be built anew."""

    workspace: str
    user: str | None
    source: str
    name: str
    media_type: str


class Originals:
    """A folder with one file a document, named by its id, and uploads on their way in beside them.

    What people call a file never becomes part of a path here.
    """

    def __init__(self, root: Path, limits: Limits) -> None:
        self._root = root
        self._limits = limits

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """An empty file for an upload; what was not kept of it by the end is gone."""
        folder = private_folder(self._root) / "incoming"
        place = private_file(folder / uuid4().hex)
        _sweep(folder)
        try:
            yield place
        finally:
            place.unlink(missing_ok=True)

    def queued(self, file_id: str) -> Path:
        """Where a file lies that was sent and is to be read later."""
        return self._root / "queued" / UUID(file_id).hex

    def all_queued(self) -> list[str]:
        """The ids of the files that lie here to be read later."""
        folder = self._root / "queued"
        return [file.name for file in folder.iterdir()] if folder.is_dir() else []

    def discard_queued(self, file_ids: Iterable[str]) -> None:
        for one in file_ids:
            self.queued(one).unlink(missing_ok=True)

    def sweep_queued(self, waiting: Collection[str]) -> None:
        """Remove what lies queued and does not wait: its process was killed before or after it was on record."""
        folder = self._root / "queued"
        if folder.is_dir():
            _sweep(folder, but=waiting)

    @contextmanager
    def second(self, file: Path) -> Iterator[Path]:
        """The same content under another path, which may be kept as an original while `file` stays."""
        with self.incoming() as place:
            place.unlink()
            try:
                os.link(file, place)
            except OSError:
                # Not every file system has links.
                shutil.copyfile(file, private_file(place))
            yield place

    def size(self, document_ids: Iterable[str]) -> int:
        """How many bytes the originals of these documents take."""
        return sum(_size(self._kept(one)) for one in document_ids)

    def keep(self, document: Document, unit: Unit) -> None:
        """Keep an upload or a web page as the original of a document, whole or not at all.

        What the catalogue says of it lies beside: the file alone does not tell whose it is and what it is called.
        """
        if not unit.source.startswith(KEPT):
            return
        told = Label(document.scope.workspace, document.scope.user, unit.source, unit.name, unit.media_type)
        with self.incoming() as place:
            place.write_text(json.dumps(asdict(told)), encoding="utf-8")
            place.replace(self._label(document.id))
        if isinstance(unit.content, Path):
            unit.content.replace(self._kept(document.id))
            return
        with self.incoming() as place:
            place.write_bytes(unit.content)
            place.replace(self._kept(document.id))

    def discard(self, document_ids: Iterable[str]) -> None:
        for one in document_ids:
            self._kept(one).unlink(missing_ok=True)
            self._label(one).unlink(missing_ok=True)

    def all(self) -> "Iterator[tuple[str, Path, Label | None]]":
        """Every original with the id of its document, and what was written down of it."""
        for file in sorted(self._root.glob("*-*-*-*-*")) if self._root.is_dir() else ():
            if not file.suffix and file.is_file():
                yield file.name, file, _read_label(self._label(file.name))

    def read(self, document: Document) -> bytes:
        """The very bytes that the document was read from; `NotFound` says why where they cannot be had."""
        if document.source.startswith(KEPT):
            data = _bytes_at(self._kept(document.id))
        else:
            data = self._where_it_lay(document.source)
        if data is None or hashlib.sha256(data).hexdigest() != document.content_hash:
            raise NotFound(f"The file of {document.name!r} {_GONE if data is None else _CHANGED}.")
        return data

    def _where_it_lay(self, source: str) -> bytes | None:
        """A file by its path, or what is in an archive or e-mail, as `archive!member`."""
        path = Path(source)
        if path.is_file() and path.stat().st_size <= self._limits.max_bytes:
            return _bytes_at(path)
        archive, bang, inside = source.partition("!")
        while bang:
            if Path(archive).is_file():
                return self._member(Path(archive), inside)
            more, bang, inside = inside.partition("!")
            archive = f"{archive}!{more}"
        return None

    def _member(self, archive: Path, name: str) -> bytes | None:
        try:
            members: Iterable[Member | Rejected] = expand(archive, self._limits)
            if archive.suffix.lower() == EMAIL:
                with Attachments(self._limits) as mails:
                    members = mails.of(archive)
            return next((one.data for one in members if isinstance(one, Member) and one.name == name), None)
        except (FileRejected, OSError):
            return None

    def _kept(self, document_id: str) -> Path:
        return self._root / str(UUID(document_id))

    def _label(self, document_id: str) -> Path:
        return self._root / f"{UUID(document_id)}{LABEL}"


def _read_label(file: Path) -> Label | None:
    try:
        return Label(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _bytes_at(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _sweep(folder: Path, but: Collection[str] = ()) -> None:
    """Remove what killed processes left of uploads; nobody else's upload takes that long."""
    before = time.time() - _ABANDONED_AFTER_S
    for left in folder.iterdir():
        try:
            if left.name not in but and left.stat().st_mtime < before:
                left.unlink()
        except FileNotFoundError:
            continue
