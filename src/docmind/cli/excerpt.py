"""The few lines of a passage that answer best, and the words in them that were asked for."""

import re
import textwrap
from dataclasses import dataclass
from itertools import takewhile

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
