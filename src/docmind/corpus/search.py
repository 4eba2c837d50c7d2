"""Hybrid search: two searches, one calibrated score, nothing said twice."""

import re
from collections.abc import Iterable
from dataclasses import replace

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Index
from docmind.corpus.relevance import Relevance
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.embedding import Embedder

MAX_QUERY_CHARS = 10_000
SAME_WORDS = 0.85
"""Share of word pairs two passages must have in common to count as the same text."""
MANY_MORE = 3
"""Passages looked up for each one wanted, to have enough left after duplicates and unfinished documents."""

_WORD = re.compile(r"\w+")


class Searcher:
    """Finds passages for a question. Thread-safe and blocking."""

    def __init__(
        self, catalogue: Catalogue, index: Index, embedder: Embedder, relevance: Relevance, candidates: int = 100
    ) -> None:
        self._catalogue = catalogue
        self._index = index
        self._embedder = embedder
        self._relevance = relevance
        self._candidates = candidates

    def search(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        """The best `limit` passages that the scope sees, most relevant first, none below `min_score`."""
        query = _checked(query)
        if limit < 1:
            raise InvalidQuery(f"A search for {limit} passages finds nothing; ask for at least 1.")
        found = self._index.search(
            scope,
            self._embedder.embed_query(query).tolist(),
            bm25.encode_query(query),
            filters or Filters(),
            max(limit, self._candidates),
        )
        scored = sorted(
            ((self._relevance.score(candidate, found.ideal), candidate) for candidate in found.candidates),
            key=lambda pair: (-pair[0], pair[1].id),
        )
        best = [(score, candidate) for score, candidate in scored if score >= min_score][: limit * MANY_MORE]
        texts = self._catalogue.fetch(scope, [candidate.id for _, candidate in best])
        hits = (
            Hit(*texts[candidate.id], relevance_score=score, dense_score=candidate.dense, bm25_score=candidate.bm25)
            for score, candidate in best
            if candidate.id in texts
        )
        return _without_repeats(hits)[:limit]


def _checked(query: str) -> str:
    query = query.replace("\0", " ").strip()
    if not query:
        raise InvalidQuery("The question is empty.")
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidQuery(f"The question has {len(query):,} characters; the most is {MAX_QUERY_CHARS:,}.")
    return query


def _without_repeats(hits: Iterable[Hit]) -> list[Hit]:
    """Keep the best of passages that say the same in the same words, and note on it which were left out."""
    kept: list[tuple[Hit, frozenset[tuple[str, str]]]] = []
    repeats: dict[str, list[str]] = {}
    for hit in hits:
        pairs = _word_pairs(hit.passage.text)
        twin = next((other for other, theirs in kept if _overlap(pairs, theirs) >= SAME_WORDS), None)
        if twin is None:
            kept.append((hit, pairs))
        else:
            repeats.setdefault(twin.passage.id, []).append(hit.passage.id)
    return [replace(hit, duplicates=tuple(repeats.get(hit.passage.id, ()))) for hit, _ in kept]


def _word_pairs(text: str) -> frozenset[tuple[str, str]]:
    words = [word.casefold() for word in _WORD.findall(text)]
    return frozenset(zip(words, [*words[1:], ""], strict=True))


def _overlap(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> float:
    """How much of the two is common; nothing where they differ in a figure, for then they do not say the same."""
    if _figures(left) != _figures(right):
        return 0.0
    return len(left & right) / max(1, len(left | right))


def _figures(pairs: frozenset[tuple[str, str]]) -> frozenset[str]:
    return frozenset(word for word, _ in pairs if any(character.isdigit() for character in word))
