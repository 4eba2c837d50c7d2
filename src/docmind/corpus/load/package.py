"""Documents that are ZIP files of XML parts: each part is read within the limits, and its XML expands nothing."""

import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import unquote
from zipfile import ZipFile

from lxml import etree

from docmind.corpus.load.archive import check_package, open_archive, read_member
from docmind.corpus.load.limits import Limits
from docmind.domain.errors import FileRejected

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
