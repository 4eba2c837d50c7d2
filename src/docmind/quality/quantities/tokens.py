"""Cuts text into words, runs of digits and single marks in one pass, so that reading numbers stays linear."""

import re
from typing import NamedTuple

# Runs of classes that share no character. A digit with 64 or more digits and separators after it begins no number that
# anyone wrote: it is one token, so that a page of them costs nothing. Finding out that they are fewer takes 64 steps.
_TOKEN = re.compile(r"[0-9][0-9,.'’]{64,}|[0-9]+|[^\W\d_]+|\S")
GROUPING_SPACES = frozenset("\u00a0\u2009\u202f")
"""Blanks that keep a number together; a plain space may also part two numbers."""


def vocabulary(words: str) -> frozenset[str]:
    """A set of words, written as a line of them."""
    return frozenset(words.split())


class Token(NamedTuple):
    """A piece of text and what stands between it and the piece before it."""

    text: str
    lower: str
    start: int
    end: int
    gap: str
    """Empty where it is glued to the token before, a line break where a line begins, else one blank."""

    @property
    def is_digits(self) -> bool:
        return "0" <= self.text[:1] <= "9"

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalpha()

    @property
    def is_capital(self) -> bool:
        return self.text[:1].isupper()


FARTHEST = 64
"""How far beyond its place a reader looks at most."""


class Tokens:
    """The tokens of a text; looking outside it gives an empty token that is nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens: list[Token] = []
        before = 0
        for match in _TOKEN.finditer(text):
            start, end = match.span()
            gap = "" if start == before and self._tokens else _gap(text[before:start])
            piece = match[0]
            self._tokens.append(Token(piece, piece.lower(), start, end, gap if self._tokens else "\n"))
            before = end
        self._length = len(self._tokens)
        self._nothing = Token("", "", len(text), len(text), "\n")
        # Behind the end, and so before the beginning too, where Python counts from the end.
        self._tokens += [self._nothing] * FARTHEST

    def __len__(self) -> int:
        return self._length

    def at(self, index: int) -> Token:
        """The token at `index`, which may lie up to `FARTHEST` outside the text."""
        return self._tokens[index]

    def glued(self, index: int) -> Token:
        """The token if nothing stands between it and the one before, else nothing."""
        token = self.at(index)
        return self._nothing if token.gap else token


def _gap(between: str) -> str:
    if between in GROUPING_SPACES:
        return between
    return "\n" if "\n" in between else " "
