"""A claim with its figures as its evidence writes them: 12.50 for 12.5, EUR 85.3 million for 85,330 in thousands.

The reader knows words by how they are written, and takes one figure in two spellings for two figures.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docmind.domain.documents import Span
from docmind.quality.excerpts import Excerpt
from docmind.quality.grounding.content_words import Word, words
from docmind.quality.grounding.figures import around
from docmind.quality.quantities import Agreement, Mention, Quantity, agrees, read, read_table
from docmind.quality.quantities.quantity import Bound

_MOST_FIGURES = 12
"""A claim with more is a list of numbers, and is read as it stands."""
_MOST_WAYS = 3
_CLOSE = Decimal("0.01")
"""How far off, as a share, a rounded figure may be to be taken for the one it was rounded from."""


@dataclass(frozen=True, slots=True)
class _Changed:
    before: Span
    after: Span


@dataclass(frozen=True, slots=True)
class Restated:
    """The claim as the reader is given it."""

    text: str
    changed: tuple[_Changed, ...] = ()

    def original(self, start: int, end: int) -> Span:
        """Where characters of it stand in the claim as it was; a figure that was written otherwise is one piece."""
        return Span(self._place(start, last=False), self._place(end, last=True))

    def _place(self, at: int, *, last: bool) -> int:
        shift = 0
        for one in self.changed:
            if at < one.after.start or (last and at == one.after.start):
                break
            if at < one.after.end or (last and at == one.after.end):
                return one.before.end if last else one.before.start
            shift = one.before.end - one.after.end
        return at + shift


def restatements(claim: str, excerpt: Excerpt) -> list[Restated]:
    """The ways to write the claim in which every figure that the excerpt has stands as it stands there."""
    figures = [word for word in words(claim) if word.is_number]
    if not 0 < len(figures) <= _MOST_FIGURES:
        return [Restated(claim)]
    written = {word.key: word.text for word in reversed(words(excerpt.text)) if word.is_number and _is_plain(word)}
    mentions = sorted(read(claim), key=lambda mention: mention.span.start)
    stated = [one for one in mentions_in(excerpt) if isinstance(one, Quantity) and one.text]
    ways: list[list[tuple[Span, str]]] = []
    for word in figures:
        as_it_stands = [(word.span, written[word.key])] if word.key in written else []
        mention, otherwise = around(word.span, mentions), list[tuple[Span, str]]()
        if isinstance(mention, Quantity):
            same = dict.fromkeys(one.text for one in stated if _is_same(mention, one))
            otherwise = [(mention.span, text) for text in same if _key(text) != word.key]
        ways.append([*as_it_stands, *otherwise][:_MOST_WAYS])
    most = max(map(len, ways))
    return [_rewritten(claim, [one[min(way, len(one) - 1)] for one in ways if one]) for way in range(max(1, most))]


def _is_plain(word: Word) -> bool:
    """001 is a number of something, and no way to write 1.0."""
    return not (word.text.startswith("0") and word.text[1:2].isdecimal())


def _key(text: str) -> str:
    return next((word.key for word in words(text) if word.is_number), "")


def mentions_in(excerpt: Excerpt) -> Iterator[Mention]:
    """What the excerpt states, the cells of its tables in the scale that is stated for them."""
    for passage in dict.fromkeys(piece.passage for piece in excerpt.pieces):
        shown = [piece.span for piece in excerpt.pieces if piece.passage is passage]
        if passage.kind != "table":
            yield from (mention for span in shown for mention in read(span.of(passage.text)))
            continue
        for figure in read_table(passage.text, " ".join(passage.heading)):
            if any(span.start <= figure.span.start < span.end for span in shown):
                yield figure.quantity


def _is_same(claimed: Quantity, stated: Quantity) -> bool:
    """Whether both are one plain figure, as far as the claim tells: it may round, the evidence may not."""
    if any(one.bound is not Bound.EXACT or one.upper is not None or one.approximate for one in (claimed, stated)):
        return False
    ours, theirs = claimed.size, stated.size
    far = abs(ours.value - theirs.value)
    is_rounded = far <= ours.step / 2 and far <= _CLOSE * theirs.value
    return is_rounded and agrees(ours, theirs) is Agreement.AGREE


def _rewritten(claim: str, found: Sequence[tuple[Span, str]]) -> Restated:
    text, begin, changed = "", 0, list[_Changed]()
    for span, written in found:
        if span.start < begin or span.of(claim) == written:
            continue
        text += claim[begin : span.start]
        changed.append(_Changed(span, Span(len(text), len(text) + len(written))))
        text += written
        begin = span.end
    return Restated(text + claim[begin:], tuple(changed))
