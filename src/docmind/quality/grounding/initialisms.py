"""Names and what they are called for short: "Federal Reserve Board" and "FRB" are one."""

from collections.abc import Iterator, Sequence

from docmind.quality.grounding.words import Word

_MAX_WORDS = 5
_INSIDE_NAMES = frozenset(("", "of", "and", "the", "for", "&", "of the", "-"))


def initialisms(text: str, found: Sequence[Word]) -> list[str]:
    """What the names among these words of the text may be called for short."""
    return [_initials(found, places) for places in _names(text, found)]


def written_out(text: str, found: Sequence[Word]) -> Iterator[tuple[str, range]]:
    """Names that may be called for short elsewhere: their initials, and the places of their words."""
    return ((_initials(found, places), places) for places in _names(text, found))


def is_short(word: Word) -> bool:
    """Whether a word is written as initials are: all in capitals."""
    return len(word.text) > 1 and word.text.isupper()


def _names(text: str, found: Sequence[Word]) -> Iterator[range]:
    """Two to five capitalised words in a row, every such row within a longer one too."""
    start = 0
    for place, word in enumerate(found):
        if not word.is_capitalised:
            start = place + 1
            continue
        if place > start and text[found[place - 1].span.end : word.span.start].strip() not in _INSIDE_NAMES:
            start = place
        for first in range(max(start, place + 1 - _MAX_WORDS), place):
            yield range(first, place + 1)


def _initials(found: Sequence[Word], places: range) -> str:
    return "".join(found[place].text[0] for place in places).lower()
