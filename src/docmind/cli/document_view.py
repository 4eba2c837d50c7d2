"""Documents for people: a table of many, and one with what is known of it and its outline."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from docmind.domain.documents import Document, Passage

if TYPE_CHECKING:
    from rich.console import Console

SHORT_ID = 8
WIDE = 120


class Entry(NamedTuple):
    """A heading of the document, and where the first passage under it begins."""

    heading: str
    level: int
    page: int | None
    start: int


def show_documents(console: "Console", documents: Iterable[Document]) -> None:
    from docmind.cli.tables import Column, show_table

    # A title says mostly what the name says, so it is the first to go where there is little room.
    titled = console.width >= WIDE
    columns = [
        Column("name"),
        *([Column("title", wraps=True)] if titled else []),
        Column("type", wraps=True),
        Column("period"),
        Column("pages", right=True),
        Column("passages", right=True),
        Column("ingested"),
        Column("id"),
    ]
    show_table(console, columns, [_cells(document, titled) for document in documents])


def _cells(document: Document, titled: bool) -> tuple[str, ...]:
    from docmind.cli.terminal import printable

    said = document.metadata
    return (
        printable(document.name),
        *([printable(said.title or "")] if titled else []),
        printable(said.document_type or ""),
        period(document),
        str(document.pages or ""),
        str(document.passages),
        document.ingested_at[:10],
        document.id[:SHORT_ID],
    )


def show_details(console: "Console", document: Document, headings: Sequence[Entry]) -> None:
    from rich.text import Text

    from docmind.cli.terminal import printable

    facts: dict[str, object] = {
        "title": document.title,
        "name": document.name,
        "source": document.source,
        "id": document.id,
        "format": document.media_type,
        **{name.replace("_", " "): value for name, value in document.metadata.known().items() if name != "title"},
        "pages": document.pages,
        "characters": document.characters,
        "passages": document.passages,
        "owner": document.scope.user,
        "ingested": document.ingested_at[:16].replace("T", " ") + " UTC",
    }
    width = max(len(name) for name in facts)
    for name, value in facts.items():
        if value is not None:
            console.print(Text.assemble((f"{name:<{width}}  ", "dim"), printable(str(value))), soft_wrap=True)
    if headings:
        console.print()
        console.print("outline", style="bold")
    for entry in headings:
        where = f"  page {entry.page}, character {entry.start}" if entry.page else f"  character {entry.start}"
        line = Text.assemble("  " * entry.level, printable(entry.heading), (where, "dim"))
        console.print(line, soft_wrap=True)


def outline_of(passages: Iterable[Passage]) -> list[Entry]:
    """Each heading once, in reading order, as the passages under them name their way down."""
    entries: list[Entry] = []
    above: tuple[str, ...] = ()
    for passage in passages:
        for level, heading in enumerate(passage.heading):
            if passage.heading[: level + 1] != above[: level + 1]:
                entries.append(Entry(heading, level, passage.page, passage.span.start))
        above = passage.heading
    return entries


def period(document: Document) -> str:
    said = document.metadata
    if said.fiscal_year and said.quarter:
        return f"Q{said.quarter} {said.fiscal_year}"
    return f"FY {said.fiscal_year}" if said.fiscal_year else said.date or ""
