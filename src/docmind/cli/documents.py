"""`docmind documents`: what a workspace holds, one document in full, and taking documents out again."""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from docmind.cli import known
from docmind.cli.app import App
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace, Yes, ask_first
from docmind.cli.wrapping import say
from docmind.domain.documents import Document, Passage, Span
from docmind.domain.scope import Scope

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
    from docmind.cli.terminal import Column, show_table

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


app = App("documents")

Reference = Annotated[
    str,
    typer.Argument(
        metavar="REF", help="A document's name, its id, or the start of its id.", autocompletion=known.documents
    ),
]
References = Annotated[
    list[str],
    typer.Argument(metavar="REF", help="Names, ids, or the start of ids.", autocompletion=known.documents),
]


@app.callback(invoke_without_command=True)
def documents(
    context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """List, show and delete documents. Without a command, list them."""
    if context.invoked_subcommand is None:
        list_documents(workspace, user, as_json)
    # An option given before `show` means the same as after it.
    before = {"workspace": workspace, "user": user, "as_json": as_json}
    context.default_map = dict.fromkeys(("list", "show", "delete"), before)


@app.command("list")
def list_documents(workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False) -> None:
    """List the documents of a workspace."""
    from docmind.cli.terminal import out, print_json
    from docmind.domain.rows import DocumentRow
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.documents(Scope(workspace, user))
    if as_json:
        print_json([DocumentRow.of(document).model_dump() for document in found])
    elif found:
        show_documents(out(), found)
    else:
        ways = f"Add some with `docmind ingest PATH --workspace {workspace}`."
        say(f"Workspace {workspace!r} has no documents yet. {ways}", err=True)


@app.command()
def show(
    reference: Reference,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    text: Annotated[bool, typer.Option("--text", help="Print the document's whole text.")] = False,
    span: Annotated[
        str | None, typer.Option("--span", metavar="START:END", help="Print exactly these characters of its text.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what is known of a document and how it is built, or its text.

    \b
    Example:
      docmind documents show board-paper-european-expansion.pdf --workspace strategy --span 4597:4739
    """
    from docmind.cli.terminal import out, print_json
    from docmind.domain.rows import DocumentRow
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        document = engine.document(reference, Scope(workspace, user))
        outline = outline_of(engine.passages(document))
        content = None
        if span is not None:
            content = _span(span, document).of(engine.text(document))
        elif text:
            content = engine.text(document)
    if as_json:
        row = DocumentRow.of(document).model_dump() | {"outline": [entry._asdict() for entry in outline]}
        print_json(row if content is None else row | {"text": content})
    elif content is not None:
        _write(content)
    else:
        show_details(out(), document, outline)


@app.command()
def delete(
    references: References,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete documents with all their passages. The files they came from are left alone."""
    from docmind.cli.terminal import print_json, printable
    from docmind.domain.rows import DocumentRow
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        found = {document.id: document for document in (engine.document(ref, scope) for ref in references)}
        if not yes:
            _ask([printable(document.name) for document in found.values()], workspace)
        engine.delete(list(found), scope)
    if as_json:
        print_json([DocumentRow.of(document).model_dump() for document in found.values()])
    else:
        for document in found.values():
            typer.echo(f"deleted  {printable(document.name)}")


def _ask(names: list[str], workspace: str) -> None:
    what = names[0] if len(names) == 1 else f"{len(names)} documents ({', '.join(names)})"
    ask_first(f"Delete {what} from workspace {workspace!r}?")


def _span(wanted: str, document: Document) -> Span:
    bounds = re.fullmatch(r"([0-9]{1,12})[:–-]([0-9]{1,12})", wanted.strip())
    if bounds is None:
        raise typer.BadParameter(f"{wanted[:40]!r} is not START:END, like 120:980.", param_hint="--span")
    start, end = int(bounds[1]), int(bounds[2])
    if not start <= end <= document.characters:
        raise typer.BadParameter(
            f"{start}:{end} is not in the document, which has {document.characters} characters.", param_hint="--span"
        )
    return Span(start, end)


def _write(content: str) -> None:
    """Character for character into a pipe; in a terminal without what would steer it, and with a line end."""
    from docmind.cli.terminal import printable

    terminal = sys.stdout.isatty()
    typer.echo(printable(content) if terminal else content, nl=terminal)
