"""Documents, their structure, passages and tagged figures: text that can always be traced back to exact characters."""

import datetime as dt
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from enum import StrEnum
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open character range in a document's text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Tag:
    """What a filing says of a figure, whatever the page around it looks like."""

    concept: str
    """What it is, in the words of a public list: `us-gaap:NetIncomeLoss`."""
    value: Decimal
    """In base scale, with its sign: -334000000 where the page shows (334) in a table of millions."""
    scale: int
    """Power of ten by which the shown number is multiplied: 6 in a table of millions."""
    unit: str
    """`USD`, `shares`, `USD/shares`, or `pure` for a bare number."""
    end: dt.date
    """The day it holds for, or the last day of its period."""
    start: dt.date | None = None
    """The first day of its period; None where it holds for one day."""
    entity: str = ""
    """Whose it is, by the number that its register gives."""
    members: tuple[str, ...] = ()
    """The parts of the company it is of, such as `aapl:IPhoneMember`; none where it is of the whole company."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A tag and the exact characters of the document's text that show its figure."""

    span: Span
    tag: Tag


def facts_within(facts: Sequence[Fact], span: Span) -> tuple[Fact, ...]:
    """Those of some facts, in the order of the text, that stand within a stretch of it."""
    first = bisect_left(facts, span.start, key=lambda fact: fact.span.start)
    last = bisect_left(facts, span.end, key=lambda fact: fact.span.end - 1)
    return tuple(facts[first:last])


@cache
def _adapter() -> "TypeAdapter[tuple[Fact, ...]]":
    """Made when first needed: processes that only know of facts start without pydantic."""
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[Fact, ...])


def dump_facts(facts: Sequence[Fact]) -> list[dict[str, Any]]:
    """Facts as plain data, for databases and states."""
    return list(_adapter().dump_python(tuple(facts), mode="json"))


def load_facts(data: Sequence[dict[str, Any]]) -> tuple[Fact, ...]:
    return _adapter().validate_python(data)


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
