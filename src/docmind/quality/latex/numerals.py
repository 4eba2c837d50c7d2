"""Reads a number in a formula, with the ways LaTeX has to part its thousands."""

from collections.abc import Sequence
from typing import NamedTuple

from docmind.quality.latex.tokens import Token

_GROUPS = 10
"""Groups of three that are looked for: more digits are no amount."""


class Numeral(NamedTuple):
    """A number as digits and a decimal point alone; `end` is the token after it."""

    digits: str
    end: int


def read_numeral(tokens: Sequence[Token], index: int) -> Numeral | None:
    """The number that begins at `index`: 601, 655,230.5 or 655{,}230 or 655\\,230, or .5."""
    digits, end = _grouped(tokens, index) if tokens[index].is_digits else ("", index)
    pointed = end < len(tokens) and tokens[end].text == "." and (end == index or _touches(tokens, end))
    if pointed and _are_digits(tokens, end + 1):
        return Numeral(f"{digits or '0'}.{tokens[end + 1].text}", end + 2)
    return Numeral(digits, end) if digits else None


def _grouped(tokens: Sequence[Token], index: int) -> tuple[str, int]:
    digits, end = tokens[index].text, index + 1
    if len(digits) > 3:
        return digits, end
    for _ in range(_GROUPS):
        following = _after_separator(tokens, end)
        if following is None or len(tokens[following].text) != 3:
            break
        digits, end = digits + tokens[following].text, following + 1
    return digits, end


def _after_separator(tokens: Sequence[Token], index: int) -> int | None:
    """Where the digits stand that a separator at `index` joins to the ones before it."""
    pieces = [token.text for token in tokens[index : index + 3]]
    width = 3 if pieces == ["{", ",", "}"] else 1 if pieces[:1] in ([","], ["\\,"]) else 0
    end = index + width
    glued = all(_touches(tokens, at) for at in range(index, end)) and _are_digits(tokens, end)
    return end if width and glued else None


def _are_digits(tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].is_digits and _touches(tokens, index)


def _touches(tokens: Sequence[Token], index: int) -> bool:
    """Whether nothing stands between the token and the one before it."""
    return index > 0 and tokens[index - 1].end == tokens[index].start
