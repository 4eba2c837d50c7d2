"""The files behind documents: uploads as they came in, kept by document, and what still lies where it was read from."""

import hashlib
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

from docmind.corpus.discover import Unit
from docmind.corpus.load import Limits, Member, expand
from docmind.domain.documents import Document
from docmind.domain.errors import FileRejected, NotFound
from docmind.domain.private_files import private_file, private_folder

UPLOAD = "upload:"
"""Begins the source of an upload. No absolute path does, so an upload's name is never taken for a file of ours."""
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

    def keep(self, document_id: str, unit: Unit) -> None:
        """Keep an upload as the original of a document, whole or not at all."""
        if not unit.source.startswith(UPLOAD):
            return
        if isinstance(unit.content, Path):
            unit.content.replace(self._kept(document_id))
            return
        with self.incoming() as place:
            place.write_bytes(unit.content)
            place.replace(self._kept(document_id))

    def discard(self, document_ids: Iterable[str]) -> None:
        for one in document_ids:
            self._kept(one).unlink(missing_ok=True)

    def read(self, document: Document) -> bytes:
        """The very bytes that the document was read from; `NotFound` says why where they cannot be had."""
        if document.source.startswith(UPLOAD):
            data = _bytes_at(self._kept(document.id))
        else:
            data = self._where_it_lay(document.source)
        if data is None or hashlib.sha256(data).hexdigest() != document.content_hash:
            raise NotFound(f"The file of {document.name!r} {_GONE if data is None else _CHANGED}.")
        return data

    def _where_it_lay(self, source: str) -> bytes | None:
        """A file by its path, or a member of an archive as `archive!member`."""
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
            members = expand(archive, self._limits)
            return next((one.data for one in members if isinstance(one, Member) and one.name == name), None)
        except (FileRejected, OSError):
            return None

    def _kept(self, document_id: str) -> Path:
        return self._root / str(UUID(document_id))


def _bytes_at(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _sweep(folder: Path) -> None:
    """Remove what killed processes left of uploads; nobody else's upload takes that long."""
    before = time.time() - _ABANDONED_AFTER_S
    for left in folder.iterdir():
        try:
            if left.stat().st_mtime < before:
                left.unlink()
        except FileNotFoundError:
            continue
