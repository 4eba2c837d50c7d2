"""Documents, their structure and their passages: text that can always be traced back to exact characters."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from pathlib import PurePosixPath
from uuid import UUID, uuid5

from docmind.domain.facts import Fact
from docmind.domain.scope import Scope
from docmind.domain.spans import Span

__all__ = [
    "Block",
    "BlockKind",
    "Document",
    "DocumentList",
    "Loaded",
    "Metadata",
    "Passage",
    "Span",
    "TableLayout",
    "TableRow",
    "file_name",
    "indexed_text",
    "passage_id",
]


class BlockKind(StrEnum):
    """What a stretch of a document is; chunking and checking treat each kind in its own way."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    CAPTION = "caption"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document, in reading order.

    A `ROW` is one table row that names its columns ("Net sales | 2023: 117,154 | 2022: 123,945"), so that it can be
    read alone; the `CAPTION` before a run of rows says what the table is. They share `table`, the table's number.
    """

    kind: BlockKind
    span: Span
    level: int = 0
    page: int | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """Where the cells of one row stand in the document's text: the column of each, from 0, and its characters."""

    span: Span
    cells: tuple[tuple[int, Span], ...]


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table as it stood in its file, over the rows that its text is made of."""

    table: int
    """The number that its blocks carry."""
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What filters can ask for, as far as content and file name tell it."""

    title: str | None = None
    company: str | None = None
    ticker: str | None = None
    fiscal_year: int | None = None
    quarter: int | None = None
    document_type: str | None = None
    date: str | None = None
    """ISO date the document speaks of: its period's end or its issue, whichever it states."""
    year_end: int | None = None
    """The month that the company's fiscal year ends in, where the document tells it."""

    def known(self) -> dict[str, str | int]:
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file as read: its text, the structure over that text, and what it says about itself."""

    text: str
    blocks: tuple[Block, ...]
    media_type: str
    metadata: Metadata = field(default_factory=Metadata)
    pages: int | None = None
    facts: tuple[Fact, ...] = ()
    """The figures it tags itself, in the order of its text."""
    notes: tuple[str, ...] = ()
    """What of the file could not be used, in a sentence each."""
    tables: tuple[TableLayout, ...] = ()
    """Where the cells of its tables stand, if that was to be kept."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document in the store, without its text."""

    id: str
    scope: Scope
    source: str
    """What makes it the same document when it comes again: an absolute path, `archive!member`, or an upload's name."""
    name: str
    """The short name people see, relative to what was ingested."""
    content_hash: str
    media_type: str
    metadata: Metadata
    pages: int | None
    characters: int
    passages: int
    ingested_at: str

    @property
    def title(self) -> str:
        return self.metadata.title or self.name

    @property
    def file_name(self) -> str:
        return file_name(self.name)


@dataclass(frozen=True, slots=True)
class DocumentList:
    """The first documents of a scope, and how many it has."""

    documents: tuple[Document, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document that is searched and cited as one: `document.text[span.start:span.end] == text`."""

    id: str
    document_id: str
    ordinal: int
    span: Span
    text: str
    heading: tuple[str, ...] = ()
    """The headings above it, outermost first; for table rows the caption comes last."""
    page: int | None = None
    kind: str = "text"
    """`text` or `table`."""
    facts: tuple[Fact, ...] = ()
    """The figures in it that the document tags itself."""

    @property
    def indexed_text(self) -> str:
        return indexed_text(self.heading, self.text)


def passage_id(document_id: str, ordinal: int) -> str:
    """The id of a document's passage by its place in the document, from 0."""
    return str(uuid5(UUID(document_id), str(ordinal)))


def file_name(name: str) -> str:
    """A document's name without the folders before it; a web page's is its whole address."""
    return name if name.startswith(("http://", "https://")) else PurePosixPath(name).name


def indexed_text(heading: tuple[str, ...], text: str) -> str:
    """What is embedded and matched: a passage with the headings it stands under."""
    return "\n".join((" > ".join(heading), text)) if heading else text
