"""What the product has to beat: checks of a few lines that know words or vectors and nothing else."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from docmind.bench.groundedness.checker import CheckedClaim
from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import Exemption
from docmind.models.embedding import Embedder, Vectors
from docmind.quality.claims import claims
from docmind.quality.sentences import split

_WORD = re.compile(r"[^\W_]++")
_FUNCTION_WORDS = frozenset({
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before",
    "being", "both", "but", "by", "can", "could", "did", "do", "does", "during", "each", "for", "from", "had",
    "has", "have", "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "itself", "may", "me", "might", "more", "most", "my", "no", "nor", "not", "of", "on", "once", "only", "or",
    "other", "our", "out", "over", "own", "s", "same", "shall", "she", "should", "so", "some", "such", "t", "than",
    "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
    "why", "will", "with", "would", "you", "your",
})  # fmt: skip
_ASSERT_NOTHING = (Exemption.HEDGE, Exemption.META)


def always(_passages: Sequence[Passage], text: str, _asked: str) -> list[CheckedClaim]:
    """Says the same of every text, so that the best threshold calls all of them positive."""
    return [CheckedClaim(Span(0, len(text)), 0.0)]


def coverage(passages: Sequence[Passage], text: str, _asked: str) -> list[CheckedClaim]:
    """The share of a claim's content words that the passages hold; the sentence with most of them is its evidence."""
    sources = [(span, set(_content_words(sentence))) for span, sentence in _sentences(passages)]
    known = {word for _, words in sources for word in words}
    checked = []
    for span in _asserting(text):
        words = list(_content_words(span.of(text)))
        nearest = max(sources, key=lambda source: len(source[1].intersection(words)), default=None)
        support = sum(word in known for word in words) / len(words) if words else 1.0
        checked.append(CheckedClaim(span, support, evidence=(nearest[0],) if nearest else ()))
    return checked


class Cosine:
    """The highest cosine of a claim to any sentence of the passages, which is its evidence."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._latest: tuple[tuple[Passage, ...], list[Span], Vectors] | None = None

    def __call__(self, passages: Sequence[Passage], text: str, _asked: str) -> list[CheckedClaim]:
        places, sources = self._embedded(tuple(passages))
        spans = _asserting(text)
        if not spans or not places:
            return [CheckedClaim(span, 0.0) for span in spans]
        cosines = self._embedder.embed_passages([span.of(text) for span in spans]) @ sources.T
        return [
            CheckedClaim(span, float(np.clip(row.max(), 0.0, 1.0)), evidence=(places[int(row.argmax())],))
            for span, row in zip(spans, cosines, strict=True)
        ]

    def _embedded(self, passages: tuple[Passage, ...]) -> tuple[list[Span], Vectors]:
        """The sentences of the passages; several responses to one source follow each other, so the last is kept."""
        if self._latest is None or self._latest[0] != passages:
            found = list(_sentences(passages))
            vectors = self._embedder.embed_passages([sentence for _, sentence in found])
            self._latest = passages, [span for span, _ in found], vectors
        return self._latest[1:]


def _sentences(passages: Sequence[Passage]) -> Iterator[tuple[Span, str]]:
    """Each with its place in the document that the passages are taken from."""
    for passage in passages:
        base = passage.span.start
        for sentence in split(passage.text):
            yield Span(base + sentence.span.start, base + sentence.span.end), sentence.text


def _asserting(text: str) -> list[Span]:
    """The claims of a text, without those that only say what is lacking or speak of the text itself."""
    return [claim.span for claim in claims(text) if claim.exemption not in _ASSERT_NOTHING]


def _content_words(text: str) -> Iterator[str]:
    return (word for word in map(str.lower, _WORD.findall(text)) if word not in _FUNCTION_WORDS)
