"""Opens ZIP files without trusting them: archives member by member, and documents that are packages of XML parts."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZipFile

from lxml import etree

from docmind.corpus.load.limits import MEGABYTE, Limits
from docmind.domain.errors import FileRejected

# Below this a member cannot hurt, however well it is packed.
SMALL_MEMBER = MEGABYTE
_CHUNK = 256 * 1024
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    MemoryError,
)


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside an archive."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Rejected:
    """A file inside an archive that is not read, and why."""

    name: str
    reason: str


def expand(source: Path | bytes, limits: Limits) -> Iterator[Member | Rejected]:
    """Members in order, each unpacked only when it is asked for; archives inside archives are refused."""
    with open_archive(source, limits) as archive:
        entries = [entry for entry in archive.infolist() if not _is_skipped(entry)]
        if len(entries) > limits.archive_members:
            raise FileRejected(f"holds {len(entries):,} files; the limit is {limits.archive_members:,}.")
        total = 0
        for entry in entries:
            reason = _refusal(entry, limits)
            if not reason and archive.NameToInfo[entry.filename] is not entry:
                reason = "stands in the archive again further on, under the same name; that one counts."
            if not reason and total + entry.file_size > limits.archive_bytes:
                reason = f"would bring the archive's unpacked size above the limit of {_mb(limits.archive_bytes)}."
            if reason:
                yield Rejected(entry.filename, reason)
                continue
            try:
                content = read_member(archive, entry, limits)
            except FileRejected as error:
                yield Rejected(entry.filename, str(error))
                continue
            total += len(content)
            yield Member(entry.filename, content)


def check_package(data: bytes, limits: Limits) -> None:
    """Refuse an office document, itself a ZIP, that would unpack to more than it should, before a library opens it."""
    with open_archive(data, limits) as package:
        entries = package.infolist()
        if len(entries) > limits.archive_members:
            raise FileRejected(f"holds {len(entries):,} parts; the limit is {limits.archive_members:,}.")
        for entry in entries:
            if reason := _oversize(entry, limits):
                raise FileRejected(f"holds a part that {reason}")
        if sum(entry.file_size for entry in entries) > limits.archive_bytes:
            raise FileRejected(f"unpacks to more than {_mb(limits.archive_bytes)}, which is the limit.")


def package_parts(data: bytes, limits: Limits) -> set[str]:
    """Names inside a ZIP, by which one kind of office document is told from another."""
    with open_archive(data, limits) as package:
        return set(package.namelist())


@contextmanager
def open_archive(source: Path | bytes, limits: Limits) -> Iterator[zipfile.ZipFile]:
    """The archive, of which no more than its directory is read yet; `FileRejected` where it is not a whole one."""
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        try:
            archive = zipfile.ZipFile(_Sparing(stream, limits.archive_directory))
        except _UNREADABLE as error:
            raise FileRejected("is not whole; it may be truncated or damaged.") from error
        with archive:
            yield archive


class _Sparing(io.RawIOBase):
    """Hands out no more at once than it may. An archive's directory is read whole, before anybody can count its files.

    Members are unpacked piece by piece and never ask for as much.
    """

    def __init__(self, stream: BinaryIO, most: int) -> None:
        super().__init__()
        self._stream = stream
        self._most = most

    def read(self, size: int = -1) -> bytes:
        if size > self._most:
            raise FileRejected(f"has a directory of {_mb(size)}; the limit is {_mb(self._most)}.")
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return True


def _is_skipped(entry: zipfile.ZipInfo) -> bool:
    parts = entry.filename.split("/")
    return entry.is_dir() or parts[0] == "__MACOSX" or (parts[-1].startswith(".") and parts[-1] != "..")


def _refusal(entry: zipfile.ZipInfo, limits: Limits) -> str:
    """Why a member must not be unpacked; empty where it may."""
    # The original name shows the backslashes that zipfile turns into slashes on some systems.
    name = entry.orig_filename
    if name.startswith("/") or "\\" in name or _DRIVE.match(name) or ".." in name.split("/"):
        return "has a path that climbs out of the archive."
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted; unpack the archive with its password and ingest the files."
    if name.lower().endswith(".zip"):
        return "is an archive inside an archive; unpack it first."
    return _oversize(entry, limits)


def _oversize(entry: zipfile.ZipInfo, limits: Limits) -> str:
    if entry.file_size > limits.max_bytes:
        return f"unpacks to {_mb(entry.file_size)}; the limit is {_mb(limits.max_bytes)}."
    if entry.file_size > SMALL_MEMBER and entry.file_size > limits.compression_ratio * max(entry.compress_size, 1):
        return f"unpacks to more than {limits.compression_ratio} times its size, as decompression bombs do."
    return ""


def read_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> bytes:
    """The member's bytes, counted while they unpack, because the size in an archive's directory can lie."""
    allowed = min(limits.max_bytes, max(SMALL_MEMBER, limits.compression_ratio * entry.compress_size))
    content = bytearray()
    try:
        with archive.open(entry) as stream:
            while chunk := stream.read(_CHUNK):
                content += chunk
                if len(content) > allowed:
                    raise FileRejected("unpacks to more than the archive says, as decompression bombs do.")
    except _UNREADABLE as error:
        raise FileRejected("is damaged inside the archive.") from error
    return bytes(content)


def _mb(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"


Element = etree._Element


class Package:
    """The parts of one file, by name."""

    def __init__(self, archive: ZipFile, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits

    def read(self, name: str) -> bytes | None:
        """The bytes of a part; None where there is none of that name."""
        try:
            entry = self._archive.getinfo(name)
        except KeyError:
            return None
        return read_member(self._archive, entry, self._limits)

    def xml(self, name: str) -> Element | None:
        """The root of a part; None where there is none of that name."""
        data = self.read(name)
        return None if data is None else parse_xml(data)


@contextmanager
def opened_package(data: bytes, limits: Limits) -> Iterator[Package]:
    check_package(data, limits)
    with open_archive(data, limits) as archive:
        yield Package(archive, limits)


def parse_xml(data: bytes) -> Element:
    """The root element. Nothing is fetched, and a document that declares entities of its own is refused."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(data, parser)
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise FileRejected("declares its own XML entities, which are not read because they can be made to explode.")
    return root


def part_beside(name: str, reference: str) -> str:
    """The name of the part that `reference`, found in the part `name`, leads to."""
    path = unquote(reference.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def local_name(element: Element) -> str:
    """An element's name without its namespace; empty for what is no element."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def attribute(element: Element, name: str) -> str:
    """An attribute by its name without the namespace; empty where it is not there."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
