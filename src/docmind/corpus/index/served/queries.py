"""Our points and searches in a Qdrant server's words, each bound to its workspace."""

import hashlib
from typing import cast
from uuid import UUID

from qdrant_client import models as qm

from docmind.corpus.index.both_scores import Scores
from docmind.corpus.index.conditions import PAYLOAD_INDEXES, Conditions, stored_payload
from docmind.corpus.index.contract import Point, SparseVector

FieldIndex = qm.KeywordIndexParams | qm.IntegerIndexParams | qm.DatetimeIndexParams


class Tenant:
    """One workspace in the shared collection: nothing leaves this class that could reach another."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._mask = int.from_bytes(hashlib.sha256(workspace.encode()).digest()[:16])

    def point(self, point: Point) -> qm.PointStruct:
        vectors: dict[str, qm.Vector] = {"dense": list(point.dense), "bm25": sparse(point.sparse)}
        payload = {**stored_payload(point), "workspace": self._workspace}
        return qm.PointStruct(id=self.masked(point.id), vector=vectors, payload=payload)

    def everything(self) -> qm.Filter:
        return qm.Filter(must=[self._mine()])

    def of_documents(self, document_ids: list[str]) -> qm.Filter:
        chosen = qm.FieldCondition(key="document_id", match=qm.MatchAny(any=document_ids))
        return qm.Filter(must=[self._mine(), chosen])

    def with_ids(self, ids: set[str]) -> qm.Filter:
        return qm.Filter(must=[self._mine(), qm.HasIdCondition(has_id=[self.masked(id) for id in ids])])

    def meeting(self, conditions: Conditions) -> qm.Filter:
        must: list[qm.Condition] = [self._mine()]
        must += [
            qm.FieldCondition(key=name, match=qm.MatchAny(any=cast("list[str]", list(values))))
            for name, values in conditions.any_of
        ]
        if conditions.date_from or conditions.date_to:
            dates = qm.DatetimeRange.model_validate({"gte": conditions.date_from, "lte": conditions.date_to})
            must.append(qm.FieldCondition(key="date", range=dates))
        excluded: list[qm.ExtendedPointId] = [self.masked(id) for id in conditions.excluded]
        return qm.Filter(must=must, must_not=[qm.HasIdCondition(has_id=excluded)] if excluded else None)

    def scores(self, response: qm.QueryResponse) -> Scores:
        return {self.masked(str(point.id)): point.score for point in response.points}

    def masked(self, id: str) -> str:
        """The id under which the collection keeps this workspace's `id`, and back again.

        Two workspaces may hold the same passage, and neither may overwrite the other's.
        """
        return str(UUID(int=UUID(id).int ^ self._mask))

    def _mine(self) -> qm.FieldCondition:
        return qm.FieldCondition(key="workspace", match=qm.MatchValue(value=self._workspace))


def sparse(vector: SparseVector) -> qm.SparseVector:
    return qm.SparseVector(indices=list(vector.indices), values=list(vector.values))


def weight_of(point: qm.ScoredPoint, token: int) -> float:
    """The inverse frequency that made a one-token query score this point as it did."""
    vector = cast("dict[str, qm.SparseVector]", point.vector)["bm25"]
    return point.score / vector.values[vector.indices.index(token)]


def payload_indexes() -> dict[str, FieldIndex]:
    kinds: dict[str, FieldIndex] = {
        "keyword": qm.KeywordIndexParams(type=qm.KeywordIndexType.KEYWORD),
        "integer": qm.IntegerIndexParams(type=qm.IntegerIndexType.INTEGER),
        "datetime": qm.DatetimeIndexParams(type=qm.DatetimeIndexType.DATETIME),
    }
    tenant = qm.KeywordIndexParams(type=qm.KeywordIndexType.KEYWORD, is_tenant=True)
    return {"workspace": tenant, **{name: kinds[kind] for name, kind in PAYLOAD_INDEXES.items()}}
