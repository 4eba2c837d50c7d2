"""What the reader is shown of passages: one passage under its headings, or the sentences a claim is judged by."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from docmind.domain.documents import Passage, Span
from docmind.quality.sentences import passage_sentences

WINDOW_CHARS = 1100
"""Of the sentences that a claim is judged by: the reader was trained on so many and judges worse by others."""
_LONGEST_HEADING = 90
_WORD = re.compile(r"[^\W_]+(?:[.,:]\d+)*")
_STEM = 6
"""Characters of a word that its other forms share, nearly always."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a passage, and where it stands in the excerpt."""

    start: int
    passage: Passage
    span: Span
    """In the passage's text."""

    @property
    def end(self) -> int:
        return self.start + len(self.span)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Text for the reader; every piece of it can be traced to its passage."""

    text: str
    pieces: tuple[Piece, ...]


def headed(passage: Passage) -> Excerpt:
    """A whole passage under what it stands under."""
    above = heading_of(passage)
    text = f"{above}\n{passage.text}" if above else passage.text
    return Excerpt(text, (Piece(len(text) - len(passage.text), passage, Span(0, len(passage.text))),))


def heading_of(passage: Passage) -> str:
    """The document's title and the innermost heading; the whole path would take more room than it is worth."""
    path = passage.heading
    kept = path if len(path) < 3 else (path[0], path[-1])
    return " > ".join(part[:_LONGEST_HEADING] for part in kept)


def evidence_window(claim: str, passages: Sequence[Passage], *, limit: int = WINDOW_CHARS) -> Excerpt:
    """The sentences and rows that share the most telling words with the claim, under the headings they stand under.

    A word tells more the fewer sentences hold it. What stands next to a chosen sentence comes along where there is
    room: it says what a pronoun means.
    """
    places = [(number, span) for number, passage in enumerate(passages) for span in sentence_spans(passage.text)]
    texts = [span.of(passages[number].text) for number, span in places]
    chosen = _choose(
        claim,
        texts,
        [heading_of(passage) for passage in passages],
        [number for number, _ in places],
        limit,
    )
    return _lay_out(passages, [places[place] for place in chosen])


def sentence_spans(text: str) -> tuple[Span, ...]:
    """Where the sentences and rows of a passage stand."""
    return tuple(sentence.span for sentence in passage_sentences(text))


def _choose(
    claim: str, sentences: Sequence[str], headings: Sequence[str], home: Sequence[int], limit: int
) -> list[int]:
    held = [frozenset(_stems(sentence)) for sentence in sentences]
    above = [frozenset(_stems(heading)) for heading in headings]
    spread = Counter(stem for stems in held for stem in stems)
    asked = frozenset(_stems(claim))
    weight = {stem: log(1 + len(sentences) / spread[stem]) for stem in asked if stem in spread}
    under = [sum(log(2) for stem in asked if stem in stems) for stems in above]
    own = [sum(weight[stem] for stem in weight if stem in stems) for stems in held]
    near = [max(own[max(0, place - 1) : place + 2]) if own else 0.0 for place in range(len(own))]
    scores = [own[place] + 0.2 * near[place] + 0.5 * under[home[place]] for place in range(len(own))]
    chosen: list[int] = []
    left = limit
    for place in sorted(range(len(sentences)), key=lambda place: (-scores[place], place)):
        if not chosen or len(sentences[place]) < left:
            chosen.append(place)
            left -= len(sentences[place]) + 1
    return sorted(chosen)


def _lay_out(passages: Sequence[Passage], places: Sequence[tuple[int, Span]]) -> Excerpt:
    text, pieces, before = "", [], -1
    for number, span in places:
        if number != before:
            above = heading_of(passages[number])
            text += ("\n" if text else "") + (f"{above}: " if above else "")
        else:
            text += " "
        pieces.append(Piece(len(text), passages[number], span))
        text += span.of(passages[number].text)
        before = number
    return Excerpt(text, tuple(pieces))


def _stems(text: str) -> list[str]:
    return [word[:_STEM] for word in _WORD.findall(text.lower())]
