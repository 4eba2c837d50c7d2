"""Cuts a formula into commands, numbers' digits and single characters, each with its place in the answer."""

import re
from typing import NamedTuple

from docmind.domain.documents import Span

_TOKEN = re.compile(r"\\(?:(?:operatorname|hspace|tag)\*|[A-Za-z]++|[\s\S]?+)|[0-9]++|[^\\0-9]")


class Token(NamedTuple):
    """A piece of a formula; a command has its backslash."""

    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def is_digits(self) -> bool:
        return "0" <= self.text[0] <= "9"

    @property
    def is_command(self) -> bool:
        """Whether it is a command named by letters."""
        return self.text[0] == "\\" and self.text[1:2].isalpha()


def cut(text: str, body: Span) -> list[Token]:
    """The tokens of a formula; blanks between them mean nothing in mathematics and are left out."""
    return [
        Token(match[0], *match.span())
        for match in _TOKEN.finditer(text, body.start, body.end)
        if not match[0].isspace()
    ]
