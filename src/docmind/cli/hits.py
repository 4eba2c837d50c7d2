"""Search results for people: how sure, where it stands, the lines that matter, and the citation."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from docmind.cli.excerpt import Excerpt, excerpt, matches, query_words
from docmind.cli.terminal import READABLE_WIDTH, printable
from docmind.domain.documents import Document, Passage
from docmind.domain.search import Hit

_INDENT = "    "
_LIKELY = 0.5


def show(console: Console, hits: Sequence[Hit], query: str) -> None:
    words = query_words(query)
    width = min(console.width, READABLE_WIDTH) - len(_INDENT) - 2
    for rank, hit in enumerate(hits, start=1):
        if rank > 1:
            console.print()
        console.print(_headline(rank, hit), soft_wrap=True)
        _show_lines(console, excerpt(printable(hit.passage.text), words, width), words)
        console.print(_citation_line(hit), soft_wrap=True)


def citation(document: Document, passage: Passage) -> str:
    """Where exactly the passage stands, as `docmind documents show NAME --span START:END` takes it."""
    page = f", page {passage.page}" if passage.page else ""
    return f"{printable(document.name)}{page}, characters {passage.span.start}–{passage.span.end}"


def _headline(rank: int, hit: Hit) -> Text:
    # The outermost heading is mostly the title, with of whom and when the document speaks.
    sureness = "bold green" if hit.relevance_score >= _LIKELY else "yellow"
    label, *below = hit.passage.heading or (hit.document.title,)
    if not label.startswith(hit.document.title):
        label, below = hit.document.title, [label, *below]
    page = f"page {hit.passage.page}" if hit.passage.page else ""
    return Text.assemble(
        (f"{rank:>2}  ", "dim"),
        (f"{hit.relevance_score:.0%}", sureness),
        "  ",
        (printable(label), "bold"),
        *(f" · {part}" for part in (page, printable(" > ".join(below))) if part),
    )


def _show_lines(console: Console, part: Excerpt, words: frozenset[str]) -> None:
    last = len(part.lines) - 1
    for at, content in enumerate(part.lines):
        before = "… " if at == 0 and part.cut_before else ""
        after = " …" if at == last and part.cut_after else ""
        line = Text(_INDENT + before + content + after)
        for start, end in matches(content, words):
            offset = len(_INDENT) + len(before)
            line.stylize("bold yellow", start + offset, end + offset)
        console.print(line, soft_wrap=True)


def _citation_line(hit: Hit) -> Text:
    line = Text(_INDENT + citation(hit.document, hit.passage), style="cyan")
    if hit.duplicates:
        count = len(hit.duplicates)
        line.append(f"  ({count} more passage{'s say' if count > 1 else ' says'} the same)", style="dim")
    return line
