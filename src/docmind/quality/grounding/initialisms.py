"""Names and what they are called for short: "Federal Reserve Board" and "FRB" are one."""

from collections.abc import Container, Iterator, Sequence

from docmind.quality.grounding.words import Word

_MAX_WORDS = 5
_INSIDE_NAMES = frozenset(("", "of", "and", "the", "for", "&", "of the", "-"))


def initialisms(text: str, found: Sequence[Word]) -> list[str]:
    """What the names among these words of the text may be called for short."""
    return [_initials(found, places) for places in _names(text, found)]


def written_out(text: str, found: Sequence[Word], known: Container[str]) -> list[int]:
    """Places of words that belong to a name of which the initials are known."""
    return [place for places in _names(text, found) if _initials(found, places) in known for place in places]


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
