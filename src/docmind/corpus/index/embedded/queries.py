"""Our searches in the embedded engine's words."""

from collections.abc import Sequence, Set
from typing import cast

import qdrant_edge as qe

from docmind.corpus.index.conditions import PAYLOAD_INDEXES, Conditions
from docmind.corpus.index.contract import Candidates, Scores, SparseVector, search_both
from docmind.corpus.index.embedded.wire import unpack_vector

_SCHEMAS = {
    "keyword": qe.PayloadSchemaType.Keyword,
    "integer": qe.PayloadSchemaType.Integer,
    "datetime": qe.PayloadSchemaType.Datetime,
}


def configuration(dimension: int, *, build_graphs: bool) -> qe.EdgeConfig:
    """Search graphs are built only where `build_graphs` says so: it takes minutes of a whole process."""
    threshold_kb = 1 if build_graphs else 2**40
    return qe.EdgeConfig(
        vectors={"dense": qe.EdgeVectorParams(size=dimension, distance=qe.Distance.Cosine)},
        sparse_vectors={"bm25": qe.EdgeSparseVectorParams(modifier=qe.Modifier.Idf)},
        optimizers=qe.EdgeOptimizersConfig(indexing_threshold=threshold_kb),
    )


def index_fields(shard: qe.EdgeShard, names: Set[str]) -> None:
    """Make sure that the shard has an index for each of the fields."""
    for name in names - shard.info().payload_schema.keys():
        shard.update(qe.UpdateOperation.create_field_index(name, _SCHEMAS[PAYLOAD_INDEXES[name]]))


def engine_point(id: str, dense: bytes, sparse: SparseVector, payload: dict[str, str | int]) -> qe.Point:
    return qe.Point(id, {"dense": unpack_vector(dense), "bm25": _engine_sparse(sparse)}, payload)


def of_documents(document_ids: Sequence[str]) -> qe.Filter:
    return qe.Filter(must=[qe.FieldCondition("document_id", match=qe.MatchAny(list(document_ids)))])


def search(
    shard: qe.EdgeShard,
    conditions: Conditions,
    dense: bytes,
    sparse: SparseVector,
    limit: int,
    *,
    weights: dict[int, float],
    total: int,
) -> Candidates:
    by_dense = qe.Query.Nearest(unpack_vector(dense), using="dense")
    by_bm25 = qe.Query.Nearest(_engine_sparse(sparse), using="bm25")

    def run(dense_filter: qe.Filter, bm25_filter: qe.Filter, limit: int, *, exact: bool) -> tuple[Scores, Scores]:
        params = qe.SearchParams(exact=exact)
        requests = [
            qe.QueryRequest(limit=limit, query=query, filter=filter, params=params)
            for query, filter in ((by_dense, dense_filter), (by_bm25, bm25_filter))
        ]
        found_dense, found_bm25 = shard.query_batch(qe.QueryBatchRequest(requests))
        return _scores(found_dense), _scores(found_bm25)

    def rank() -> tuple[Scores, Scores]:
        seen = _filter(conditions)
        return run(seen, seen, limit, exact=False)

    def rescore(dense_ids: Set[str], bm25_ids: Set[str]) -> tuple[Scores, Scores]:
        most = max(len(dense_ids), len(bm25_ids))
        return run(_with_ids(dense_ids), _with_ids(bm25_ids), most, exact=True) if most else ({}, {})

    return search_both(rank, rescore, sparse, weights, total)


def count(shard: qe.EdgeShard, conditions: Conditions) -> int:
    return shard.count(qe.CountRequest(exact=True, filter=_filter(conditions)))


def inverse_frequencies(shard: qe.EdgeShard, tokens: Sequence[int]) -> dict[int, float]:
    """The engine's own weight of each token that any point has, read off the best point for that token alone."""
    requests = [
        qe.QueryRequest(
            limit=1, query=qe.Query.Nearest(qe.SparseVector([token], [1.0]), using="bm25"), with_vector=["bm25"]
        )
        for token in tokens
    ]
    found = shard.query_batch(qe.QueryBatchRequest(requests))
    return {token: _weight(best[0], token) for token, best in zip(tokens, found, strict=True) if best}


def _weight(point: qe.ScoredPoint, token: int) -> float:
    vector = cast("dict[str, qe.SparseVector]", point.vector)["bm25"]
    return point.score / vector.values[vector.indices.index(token)]


def _engine_sparse(vector: SparseVector) -> qe.SparseVector:
    return qe.SparseVector(list(vector.indices), list(vector.values))


def _filter(conditions: Conditions) -> qe.Filter:
    must = [qe.FieldCondition(name, match=_any_of(values)) for name, values in conditions.any_of]
    if conditions.date_from or conditions.date_to:
        dates = qe.RangeDateTime(gte=conditions.date_from, lte=conditions.date_to)
        must.append(qe.FieldCondition("date", range=dates))
    # An exclusion of nothing is not free: the engine would ask it of every point.
    excluded: list[qe.ConditionType] = [qe.HasIdCondition(set(conditions.excluded))] if conditions.excluded else []
    return qe.Filter(must=[*must], must_not=excluded)


def _any_of(values: tuple[str, ...] | tuple[int, ...]) -> qe.MatchValue | qe.MatchAny:
    """One value, the usual case, is matched faster than a list of one."""
    return qe.MatchValue(values[0]) if len(values) == 1 else qe.MatchAny(cast("list[str]", list(values)))


def _with_ids(ids: Set[str]) -> qe.Filter:
    return qe.Filter(must=[qe.HasIdCondition(set(ids))])


def _scores(points: list[qe.ScoredPoint]) -> Scores:
    return {str(point.id): point.score for point in points}
