"""The citations of an answer: each quote once, its sources numbered from 1 in the order they are cited."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from docmind.domain.answers import Citation, RunResult
from docmind.domain.documents import Span
from docmind.domain.search import Hit
from docmind.quality.citations import find
from docmind.skills.drafting import Listener


class Source(NamedTuple):
    """A passage as an answer cites it."""

    number: int
    document: str
    title: str
    file: str
    """The file's name."""
    page: int | None


def citations(claims: Iterable[Mapping[str, Any]], sources: Mapping[str, Source]) -> list[Citation]:
    """The quotes that claims rest on, by the ids of their passages; of one that several rest on, the best supported."""
    cited: dict[tuple[int, int], Citation] = {}
    for claim in claims:
        source = sources.get(claim["passage_id"] or "")
        if source is None:
            continue
        citation = Citation(
            marker=f"[{source.number}]",
            document=source.document,
            title=source.title,
            source=source.file,
            page=source.page,
            start=claim["quote_start"],
            end=claim["quote_end"],
            quote=claim["quote"],
            support=claim["confidence_score"],
        )
        key = source.number, citation.start
        best = cited.get(key)
        cited[key] = citation if best is None or citation.support > best.support else best
    return in_order(cited.values())


def in_order(found: Iterable[Citation]) -> list[Citation]:
    """By the numbers of the passages, and within one by where they stand."""
    return sorted(found, key=lambda one: (int(one.marker.strip("[]")), one.start))


_LONGEST_BRACKET = 600
"""Characters after which a bracket that has not closed is taken for text."""


def numbered(text: str, known: Container[str], numbers: dict[str, int]) -> tuple[str, list[tuple[Span, int]]]:
    """The text with the `known` names in its brackets as numbers, in the order they are cited.

    `numbers` grows by those that are new. Besides the text, each bracket of the old one and by how much it is shorter.
    """
    kept, position = [], 0
    moved: list[tuple[Span, int]] = []
    brackets: dict[Span, list[str]] = {}
    for marker in find(text):
        brackets.setdefault(marker.span, []).append(marker.target.lower())
    for span, targets in brackets.items():
        if not all(target in known for target in targets):
            continue
        written = f"[{', '.join(str(numbers.setdefault(target, len(numbers) + 1)) for target in targets)}]"
        kept += [text[position : span.start], written]
        moved.append((span, len(span) - len(written)))
        position = span.end
    return "".join((*kept, text[position:])), moved


def moved_place(place: int, moved: Sequence[tuple[Span, int]]) -> int:
    """Where a place of the written text is now; one within a bracket is where the bracket ends."""
    return place - sum(shorter for span, shorter in moved if span.end <= place)


def renumbered(result: RunResult) -> RunResult:
    """The result with its sources numbered in the order they are cited, instead of by their places in the search."""
    known = {citation.marker.strip("[]") for citation in result.citations}
    # A number that leads to no source stays as it is, and then no other may become the same.
    if any(marker.target not in known for marker in find(result.answer)):
        return result
    numbers: dict[str, int] = {}
    answer, moved = numbered(result.answer, known, numbers)
    for citation in result.citations:
        numbers.setdefault(citation.marker.strip("[]"), len(numbers) + 1)
    citations = [
        citation.model_copy(update={"marker": f"[{numbers[citation.marker.strip('[]')]}]"})
        for citation in result.citations
    ]
    claims = [
        claim.model_copy(
            update={
                "start": moved_place(claim.start, moved),
                "end": moved_place(claim.end, moved),
                "citations": [str(numbers.get(target, target)) for target in claim.citations],
            }
        )
        for claim in result.claims
    ]
    return result.model_copy(update={"answer": answer, "citations": in_order(citations), "claims": claims})


class NumberedDraft:
    """Hands a draft on with its sources, which have these names, numbered. A bracket is held back until it closed."""

    def __init__(self, tell: Listener, names: Iterable[str]) -> None:
        self._tell = tell
        self._known = {name.lower() for name in names}
        self._numbers: dict[str, int] = {}
        self._held = ""

    def __call__(self, text: str, *, fresh: bool) -> None:
        if fresh:
            self._held = ""
            self._numbers.clear()
        text, self._held = _closed(self._held + text)
        shown, _ = numbered(text, self._known, self._numbers)
        if shown or fresh:
            self._tell(shown, fresh=fresh)


def by_place(tell: Listener, hits: Sequence[Hit]) -> NumberedDraft:
    """For a draft that cites the hits by their places from 1."""
    return NumberedDraft(tell, map(str, range(1, len(hits) + 1)))


def _closed(text: str) -> tuple[str, str]:
    """The text up to a bracket that is still open at its end, and the rest."""
    opened = text.rfind("[")
    if opened < 0 or "]" in text[opened:] or len(text) - opened > _LONGEST_BRACKET:
        return text, ""
    return text[:opened], text[opened:]
