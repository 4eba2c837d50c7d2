"""`docmind check`: any text or draft, held against the documents sentence by sentence."""

import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.wrapping import lines
from docmind.domain.answers import Finding, TextCheck, TextClaim
from docmind.domain.documents import BlockKind
from docmind.domain.errors import FileRejected, NotFound
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from rich.console import Console

    from docmind.domain.documents import Loaded


MARKS = {
    Finding.SUPPORTED: ("✓", "bold green"),
    Finding.CONTRADICTED: ("✗", "bold red"),
    Finding.NOT_FOUND: ("?", "bold yellow"),
}
_INDENT = "    "


def show_check(console: "Console", checked: TextCheck) -> None:
    """Each sentence with a mark, the words that decide and where they stand; then how many there are of each."""
    from docmind.cli.terminal import READABLE_WIDTH

    width = min(console.width, READABLE_WIDTH) if console.is_terminal else None
    for claim in checked.claims:
        _show_claim(console, claim, width)
    if checked.claims:
        console.print()
    console.print(summary(checked), soft_wrap=True)


def summary(checked: TextCheck) -> str:
    """`3 sentences: 1 supported, 1 contradicted, 1 not found`."""
    if not checked.claims:
        return "No sentence in the text makes a claim."
    number = len(checked.claims)
    counts = {status: checked.count(status) for status in Finding}
    told = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items() if count)
    return f"{number} sentence{'s' if number > 1 else ''}: {told}"


def _show_claim(console: "Console", claim: TextClaim, width: int | None) -> None:
    from rich.text import Text

    from docmind.cli.terminal import printable

    mark, style = MARKS[claim.status]
    first, *rest = _lines(claim.text, width)
    console.print(Text.assemble((f"{mark}   ", style), first), soft_wrap=True)
    for line in rest:
        console.print(Text(_INDENT + line), soft_wrap=True)
    if claim.quote is None:
        return
    for line in _lines(f"“{' '.join(claim.quote.split())}”", width):
        console.print(Text(_INDENT + line, style="dim"), soft_wrap=True)
    page = f", page {claim.page}" if claim.page else ""
    place = f"{claim.source}{page}, characters {claim.quote_start}–{claim.quote_end}"
    console.print(Text(_INDENT + printable(place), style="cyan"), soft_wrap=True)


def _lines(text: str, width: int | None) -> list[str]:
    from docmind.cli.terminal import printable

    shown = " ".join(printable(text).split())
    return lines(shown, width - len(_INDENT)) if width else [shown]


STDIN = "-"
_LOOKS_LIKE_A_FILE = re.compile(r"\S+\.[A-Za-z]{2,5}")
_TITLES = (BlockKind.HEADING, BlockKind.CAPTION)


def check(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT|FILE|-", help="The text, a file that holds it, or - to read it from standard input."
        ),
    ],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Check a text against your documents.

    Every sentence that asserts something is searched for and marked: ✓ the documents say so, ✗ they say something else,
    ? no document says so. The words that decide are quoted with their place. A file may be of any format that
    `docmind ingest` reads; with --json, positions count in the text that was read from it.

    \b
    Examples:
      docmind check "The plant in Ostrava needs 214 employees at the end of 2028." --workspace strategy
      docmind check examples/strategy/customer-survey-2025.docx --workspace strategy
    """
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    text = _read(" ".join(given))
    with DocMind() as engine:
        checked = engine.check(text, Scope(workspace, user))
    if as_json:
        print_json(checked.model_dump(mode="json"))
    else:
        show_check(out(), checked)


def _read(given: str) -> str:
    if given == STDIN:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What is not text in it cannot be checked.
            sys.stdin.reconfigure(errors="replace")
        return sys.stdin.read()
    try:
        path = Path(given)
        exists, is_file = path.exists(), path.is_file()
    except OSError:
        # Too long for the name of a file.
        return given
    if is_file:
        return _draft(path)
    if exists:
        raise FileRejected(f"{given!r} is not a file. Name one, or pipe the text into `docmind check -`.")
    if _LOOKS_LIKE_A_FILE.fullmatch(given):
        raise NotFound(f"There is no file {given[:80]!r}.")
    return given


def _draft(file: Path) -> str:
    """The text of a file, read as one that is ingested."""
    from docmind.corpus.load import load

    try:
        return _without_titles(load(file.read_bytes(), file.name))
    except FileRejected as error:
        raise FileRejected(f"{file.name} {error}") from error


def _without_titles(loaded: "Loaded") -> str:
    """The text with headings and captions blanked that assert nothing; every other character stays in its place."""
    from docmind.quality.claims import claims

    text = loaded.text
    for block in loaded.blocks:
        title = block.span.of(text)
        if block.kind in _TITLES and not claims(f"# {title}"):
            text = text[: block.span.start] + re.sub(r"\S", " ", title) + text[block.span.end :]
    return text
