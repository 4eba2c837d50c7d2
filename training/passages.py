"""The authored documents as the product cuts them, and where in their passages a quote stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docmind.corpus.discover import Unit
from docmind.corpus.file_reading import read
from docmind.corpus.load import Limits
from docmind.domain.documents import Passage, Span
from docmind.quality.sentences import Sentence, split

_SIGN = re.compile(r"[^\W_]|[%€£$§+]")


@dataclass(frozen=True)
class Place:
    """Characters of a passage."""

    passage: int
    span: Span


@dataclass(frozen=True)
class AuthoredDocument:
    """A document and its passages."""

    name: str
    passages: tuple[Passage, ...]

    @cached_property
    def sentences(self) -> tuple[tuple[Sentence, ...], ...]:
        return tuple(tuple(split(passage.text)) for passage in self.passages)

    def find(self, quote: str) -> list[Place]:
        """Where a quote of the Markdown file stands, line by line; a table row by its cells, in their order."""
        places: list[Place] = []
        for line in filter(str.strip, quote.split("\n")):
            cells = [cell for cell in map(_signs, line.split("|")) if cell] if "|" in line else []
            found = self._row(cells) if cells else None
            place = found or self._prose(_signs(line))
            if place is not None:
                places.append(place)
        return places

    def _row(self, cells: Sequence[str]) -> Place | None:
        for number, passage in enumerate(self.passages):
            if passage.kind != "table":
                continue
            for sentence in self.sentences[number]:
                signs, position = _signs(sentence.text), 0
                for cell in cells:
                    at = signs.find(cell, position)
                    if at < 0:
                        break
                    position = at + len(cell)
                else:
                    return Place(number, sentence.span)
        return None

    def _prose(self, signs: str) -> Place | None:
        if not signs:
            return None
        for number, passage in enumerate(self.passages):
            marks = [match.start() for match in _SIGN.finditer(passage.text)]
            at = _signs(passage.text).find(signs)
            if at >= 0:
                return Place(number, Span(marks[at], marks[at + len(signs) - 1] + 1))
        return None


def _signs(text: str) -> str:
    return "".join(_SIGN.findall(text)).casefold()


def read_document(path: Path) -> AuthoredDocument:
    """The file as ingesting it would cut it."""
    found = read(Limits(), Unit(str(path), path.name, "", path))
    passages = tuple(
        Passage(
            f"{path.stem}:{number}",
            path.stem,
            number,
            piece.span,
            piece.span.of(found.loaded.text),
            piece.heading,
            kind=piece.kind,
        )
        for number, piece in enumerate(found.chunks)
    )
    return AuthoredDocument(path.stem, passages)
