"""Two searches, one list of candidates that all have both scores, so that fusing them never has to guess one."""

from collections.abc import Callable, Set
from math import log1p

from docmind.corpus.index.contract import Candidate, Candidates, SparseVector

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
