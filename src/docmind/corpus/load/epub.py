"""Reads EPUB books: the chapters in the order of the book's spine, each as the web page that it is."""

from docmind.corpus.load.archive import Element, Package, local_name, opened_package, part_beside
from docmind.corpus.load.builder import Builder, one_line
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.html import parse_html, write_html
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded, Metadata
from docmind.domain.errors import FileRejected

MEDIA_TYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_DATE_LENGTH = len("2024-12-31")


def load_epub(data: bytes, limits: Limits) -> Loaded:
    with opened_package(data, limits) as package:
        place, book = _book(package)
        chapters = _chapters(book, place)
        if _locked(package) & set(chapters):
            raise FileRejected("is protected against copying (DRM), so its text cannot be read.")
        titles = _contents(package, book, place)
        builder = Builder(limits)
        if authors := _stated(book, "creator"):
            builder.paragraph(f"Author: {', '.join(authors)}")
        for chapter in chapters:
            _write_chapter(builder, package, chapter, titles.get(chapter, ""))
    title, date = (_stated(book, name)[:1] for name in ("title", "date"))
    issued = date[0][:_DATE_LENGTH] if date and len(date[0]) >= _DATE_LENGTH else None
    return builder.finish(MEDIA_TYPE, Metadata(title=title[0] if title else None, date=issued))


def _book(package: Package) -> tuple[str, Element]:
    """The part that describes the book, with its name."""
    container = package.xml(_CONTAINER)
    for element in container.iter() if container is not None else ():
        place = element.get("full-path")
        if local_name(element) == "rootfile" and place and (book := package.xml(place)) is not None:
            return place, book
    raise FileRejected("is not a whole EPUB file: it does not say where its book is.")


def _stated(book: Element, name: str) -> list[str]:
    """What the book's metadata says under this name."""
    found = (one_line("".join(element.itertext())) for element in book.iter() if local_name(element) == name)
    return [text for text in found if text]


def _chapters(book: Element, place: str) -> list[str]:
    """The names of the parts that hold the text, in reading order."""
    items = {element.get("id"): element for element in book.iter() if local_name(element) == "item"}
    order = [element.get("idref") for element in book.iter() if local_name(element) == "itemref"]
    held = [items[one] for one in dict.fromkeys(order) if one in items]
    return [part_beside(place, item.get("href", "")) for item in held if item.get("media-type") in _PAGES]


def _contents(package: Package, book: Element, place: str) -> dict[str, str]:
    """What the table of contents calls each chapter; of several entries for one the first counts."""
    titles: dict[str, str] = {}
    for item in book.iter():
        if local_name(item) != "item":
            continue
        part = part_beside(place, item.get("href", ""))
        if "nav" in (item.get("properties") or "").split():
            entries = _linked(package.read(part))
        elif item.get("media-type") == "application/x-dtbncx+xml":
            entries = _pointed(package.xml(part))
        else:
            continue
        for reference, title in entries:
            titles.setdefault(part_beside(part, reference), title)
    return titles


def _linked(page: bytes | None) -> list[tuple[str, str]]:
    """Entries of a table of contents that is a web page."""
    root = parse_html(decode(page)) if page else None
    links = root.iter("a") if root is not None else ()
    return [(link.get("href", ""), one_line(link.text_content())) for link in links]


def _pointed(contents: Element | None) -> list[tuple[str, str]]:
    """Entries of a table of contents of the older kind."""
    entries = []
    for point in contents.iter() if contents is not None else ():
        if local_name(point) == "navPoint":
            parts = {local_name(child): child for child in point}
            if "content" in parts and "navLabel" in parts:
                label = one_line("".join(parts["navLabel"].itertext()))
                entries.append((parts["content"].get("src", ""), label))
    return entries


def _locked(package: Package) -> set[str]:
    """The names of parts that are encrypted."""
    listed = package.xml(_ENCRYPTION)
    found = listed.iter() if listed is not None else ()
    return {part_beside("", element.get("URI", "")) for element in found if local_name(element) == "CipherReference"}


def _write_chapter(builder: Builder, package: Package, chapter: str, title: str) -> None:
    data = package.read(chapter)
    if not data or not data.strip():
        return
    text = decode(data)
    root = parse_html(text)
    if root is None:
        return
    if title and next(root.iter(*_HEADINGS), None) is None:
        builder.heading(title, 1)
    write_html(builder, text)
