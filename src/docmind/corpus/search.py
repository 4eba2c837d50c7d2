"""Hybrid search: two searches, one calibrated score, nothing said twice."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from docmind.corpus.catalogue import Catalogue
from docmind.corpus.index import bm25
from docmind.corpus.index.contract import Candidate, Candidates
from docmind.corpus.relevance import Relevance
from docmind.corpus.workspace_index import Place, WorkspaceIndex
from docmind.domain.errors import InvalidQuery, StoreError
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.models.embedding import Embedder

MAX_QUERY_CHARS = 10_000
SAME_WORDS = 0.85
"""Share of neighbouring word pairs two passages have in common when they say the same."""
A_FEW_MORE = 5
"""Passages looked up at first beyond those wanted, because some repeat others or belong to unfinished documents."""
MOST_AT_ONCE = 1_000
"""Passages looked up together: databases take only so many values in one question."""

_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"[-−(]?\d+(?:[.,:/]\d+)*")


class Searcher:
    """Finds passages for a question. Thread-safe and blocking."""

    def __init__(
        self,
        catalogue: Catalogue,
        index: WorkspaceIndex,
        open_relevance: Callable[[Embedder], Relevance],
        candidates: int = 100,
    ) -> None:
        self._catalogue = catalogue
        self._index = index
        self._open_relevance = open_relevance
        self._relevances: dict[str, Relevance] = {}
        self._candidates = candidates

    def search(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        """The best `limit` passages that the scope sees, most relevant first, none below `min_score`."""
        query = checked(query)
        if limit < 1:
            raise InvalidQuery(f"A search for {limit} passages finds nothing; ask for at least 1.")
        place, found = self._found(query, scope, filters or Filters(), max(limit, self._candidates))
        if not found.candidates and filters in (None, Filters()):
            self._require_none(scope)
        relevance = self._relevance(place.embedder)
        scored = sorted(
            ((relevance.score(candidate, found.ideal, found.total), candidate) for candidate in found.candidates),
            key=lambda pair: (-pair[0], pair[1].id),
        )
        hits = self._hits(scored, scope, min(limit + A_FEW_MORE, MOST_AT_ONCE))
        return _without_repeats(takewhile(lambda hit: hit.relevance_score >= min_score, hits), limit)

    def _found(self, query: str, scope: Scope, filters: Filters, limit: int) -> tuple[Place, Candidates]:
        """What both searches find, and where; where that was replaced before they came to it, they begin again."""
        words = bm25.encode_query(query)
        while True:
            place = self._index.place(scope.workspace)
            found = place.index.search(scope, place.embedder.embed_query(query).tolist(), words, filters, limit)
            if found.candidates or self._index.place(scope.workspace).recorded == place.recorded:
                return place, found

    def _relevance(self, embedder: Embedder) -> Relevance:
        if embedder.name not in self._relevances:
            self._relevances[embedder.name] = self._open_relevance(embedder)
        return self._relevances[embedder.name]

    def _require_none(self, scope: Scope) -> None:
        """An index that holds nothing is no answer where the catalogue lists documents: it was lost."""
        documents, passages = self._catalogue.count(scope)
        if passages:
            raise StoreError(
                f"The index holds nothing of workspace {scope.workspace!r}, though the catalogue lists {documents:,} "
                "of its documents. Ingest any file into the workspace: what is missing is then written anew."
            )

    def _hits(self, ranked: Sequence[tuple[float, Candidate]], scope: Scope, at_once: int) -> Iterator[Hit]:
        """Candidates with their text, as far as the scope sees it, looked up as they are needed."""
        for start in range(0, len(ranked), at_once):
            part = ranked[start : start + at_once]
            texts = self._catalogue.fetch(scope, [candidate.id for _, candidate in part])
            for score, candidate in part:
                if candidate.id in texts:
                    yield Hit(*texts[candidate.id], score, candidate.dense, candidate.bm25)


def checked(query: str, *, called: str = "question") -> str:
    """What a person asked or answered, as text that can be looked for, or a clear refusal of it."""
    # Lone surrogates, which shells and JSON can hand over, are no text that could be looked for.
    query = query.replace("\0", " ").encode("utf-8", "replace").decode().strip()
    if not query:
        raise InvalidQuery(f"The {called} is empty.")
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidQuery(f"The {called} has {len(query):,} characters; the most is {MAX_QUERY_CHARS:,}.")
    return query


@dataclass(frozen=True, slots=True)
class _Wording:
    """What a passage says, for telling whether another says the same."""

    pairs: frozenset[tuple[str, str]]
    figures: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "_Wording":
        # The beginning counts as a word, so that a single one makes a pair too.
        words = ["", *_WORD.findall(text.casefold())]
        return cls(frozenset(pairwise(words)), tuple(_FIGURE.findall(text)))

    def repeats(self, other: "_Wording") -> bool:
        """Almost the same words and the same figures in the same order: two passages that differ in one disagree."""
        if self.figures != other.figures:
            return False
        smaller, larger = sorted((len(self.pairs), len(other.pairs)))
        if smaller < SAME_WORDS * larger:
            return False
        common = len(self.pairs & other.pairs)
        return common >= SAME_WORDS * (smaller + larger - common)


def _without_repeats(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """The first `limit` that say something new; each notes which later ones only repeat it."""
    kept: list[tuple[Hit, _Wording]] = []
    repeats: dict[str, list[str]] = {}
    for hit in hits:
        wording = _Wording.of(hit.passage.text)
        twin = next((other for other, theirs in kept if wording.repeats(theirs)), None)
        if twin is not None:
            repeats.setdefault(twin.passage.id, []).append(hit.passage.id)
        elif len(kept) < limit:
            kept.append((hit, wording))
        else:
            break
    return [replace(hit, duplicates=tuple(repeats.get(hit.passage.id, ()))) for hit, _ in kept]
