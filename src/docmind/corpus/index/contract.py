"""What an index is: the seam between the corpus and a vector engine, and how its two searches become one."""

from collections.abc import Callable, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import log1p
from typing import NamedTuple, Protocol

from docmind.corpus.index.identity import Identity
from docmind.domain.scope import Scope
from docmind.domain.search import Filters


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Token ids and their weights, as BM25 gives them; the engine adds the inverse document frequency."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A passage as the index keeps it: two vectors and what filters need. The text stays in the catalogue."""

    id: str
    """A UUID in its usual lower-case form, which is the only kind of name that Qdrant takes."""
    document_id: str
    user: str | None
    dense: Sequence[float]
    sparse: SparseVector
    payload: dict[str, str | int]
    """What filters ask for, as far as known: company, ticker, fiscal_year, quarter, document_type, kind, date."""


class Candidate(NamedTuple):
    """A point that either search found, with both of its scores, whichever search it was."""

    id: str
    dense: float
    bm25: float


class Candidates(NamedTuple):
    """What a search found. Tuples, because hundreds cross a pipe for every question."""

    candidates: tuple[Candidate, ...] = ()
    dense_top: tuple[str, ...] = ()
    """Ids in the dense search's own order."""
    bm25_top: tuple[str, ...] = ()
    ideal: float = 0.0
    """The BM25 score of a passage of usual length that has every token of the query once; 0 for an empty query."""
    total: int = 0
    """How many passages could have been found: those that the scope sees and the filters let through."""


class Index(Protocol):
    """Thread-safe and blocking; callers on an event loop go through a thread. Each call returns when it is durable."""

    shared: bool
    """Whether processes of other machines may be writing to it at the same time."""

    @property
    def storing(self) -> AbstractContextManager[object]:
        """Held while documents are stored: where the index is not `shared`, no other process does so meanwhile."""
        ...

    def upsert(self, workspace: str, points: Sequence[Point]) -> None: ...

    def delete_documents(self, workspace: str, document_ids: Sequence[str]) -> None: ...

    def search(
        self, scope: Scope, dense: Sequence[float], sparse: SparseVector, filters: Filters, limit: int
    ) -> Candidates:
        """The best `limit` of each of the two searches, each candidate with both scores."""
        ...

    def count(self, workspace: str, *document_ids: str) -> int:
        """How many points these documents have together, or the whole workspace where none is named."""
        ...

    def drop(self, workspace: str) -> None:
        """Forget a whole workspace."""
        ...

    def optimize(self, workspace: str) -> bool:
        """Build what makes search fast at this size, while searches go on; True if anything was done."""
        ...

    def describe(self) -> dict[str, str | int]:
        """What `docmind doctor` shows: engine, place, version."""
        ...

    def close(self) -> None: ...


class Engine(Index, Protocol):
    """A store of vectors, opened for those of one embedder, where vectors of others lie apart from them."""

    base: Identity
    """Whose vectors lie under the plain names of workspaces: those of the embedder that the store was begun with."""

    def of(self, identity: Identity) -> Index:
        """The same store for the vectors of another embedder."""
        ...


Scores = dict[str, float]
"""Scores by point id, in the search's own order."""

TOKENS_WEIGHED = 64
"""A question rarely has more; of a longer text these stand for the rest."""


def search_both(
    rank: Callable[[], tuple[Scores, Scores]],
    rescore: Callable[[Set[str], Set[str]], tuple[Scores, Scores]],
    query: SparseVector,
    weights: dict[int, float],
    total: int,
) -> Candidates:
    """`rank` runs the dense and the BM25 search; `rescore` scores what only the other one found, dense and BM25.

    `weights` are the inverse frequencies of the query's tokens, as far as any of the `total` passages has them.
    """
    dense, bm25 = rank()
    more_dense, more_bm25 = rescore(bm25.keys() - dense.keys(), dense.keys() - bm25.keys())
    dense_score, bm25_score = dense | more_dense, bm25 | more_bm25
    # A point that shares no token with the query is not found by BM25 at all: its score is 0. One that vanished between
    # the two steps has no dense score, and is no candidate any more.
    found = tuple(
        Candidate(id, dense_score[id], bm25_score.get(id, 0.0))
        for id in dict.fromkeys((*dense, *bm25))
        if id in dense_score
    )
    return Candidates(found, tuple(dense), tuple(bm25), _ideal_bm25(query, weights, total), total)


def weighed(query: SparseVector) -> tuple[int, ...]:
    """The tokens whose inverse frequencies are worth asking for."""
    return query.indices[:TOKENS_WEIGHED]


def _ideal_bm25(query: SparseVector, weights: dict[int, float], total: int) -> float:
    """What a passage of usual length with every token once would score.

    A token that no passage has counts as the rarest of all: whoever asks for it asks for something that is not here.
    """
    tokens = weighed(query)
    if not tokens:
        return 0.0
    rarest = log1p((total + 0.5) / 0.5)
    return sum(weights.get(token, rarest) for token in tokens) / len(tokens) * len(query.indices)
