"""Search results for people: how sure, where it stands, the lines that answer best, and the citation."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from rich.console import Console
from rich.text import Text

from docmind.cli.terminal import READABLE_WIDTH, printable
from docmind.domain.documents import Document, Passage
from docmind.domain.search import Hit

LINES = 4

_WORD = re.compile(r"\w+")
_SHORTEST_STEM = 4
_LONGEST_ENDING = 3
_TOO_COMMON = re.compile(
    r"an?|and|are|as|at|be|by|did|do|does|for|from|had|has|have|how|i|in|is|its?|many|much|of|on|or|our|that|the|their|they"
    r"|this|to|was|we|were|what|when|where|which|who|why|will|with|your?"
)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines as they fit on the screen, and whether the passage goes on before and after them."""

    lines: tuple[str, ...]
    cut_before: bool
    cut_after: bool


def query_words(query: str) -> frozenset[str]:
    """The words of the query that carry its meaning; all of them where none does."""
    words = frozenset(word.casefold() for word in _WORD.findall(query))
    return frozenset(word for word in words if not _TOO_COMMON.fullmatch(word)) or words


def excerpt(text: str, words: frozenset[str], width: int, lines: int = LINES) -> Excerpt:
    """The window of lines that holds most of the different words, with what follows them."""
    wrapped = [piece for line in text.splitlines() for piece in textwrap.wrap(line, width, break_on_hyphens=False)]
    found = [_found(line, words) for line in wrapped]

    def worth(start: int) -> tuple[int, int, int]:
        window = found[start : start + lines]
        first = next((at for at, words_there in enumerate(window) if words_there), 0)
        # What a word announces mostly follows it, so one line before the first is enough.
        return len(frozenset().union(*window)), -abs(first - 1), -start

    best = max(range(max(1, len(wrapped) - lines + 1)), key=worth)
    return Excerpt(tuple(wrapped[best : best + lines]), best > 0, best + lines < len(wrapped))


def matches(line: str, words: frozenset[str]) -> list[tuple[int, int]]:
    """Where the line has one of the words, in whatever ending."""
    return [found.span() for found in _WORD.finditer(line) if _found(found[0], words)]


def _found(line: str, words: frozenset[str]) -> frozenset[str]:
    there = {word.casefold() for word in _WORD.findall(line)}
    return frozenset(word for word in words if any(_same(word, other) for other in there))


def _same(left: str, right: str) -> bool:
    """Equal, or equal up to an ending: `price`, `prices` and `pricing`, but not `market` and `markdown`."""
    if left == right:
        return True
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
    return common >= _SHORTEST_STEM and max(len(left), len(right)) - common <= _LONGEST_ENDING


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
