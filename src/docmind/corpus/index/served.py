"""A Qdrant server or cluster by URL: one collection for the installation, workspaces held apart as its tenants."""

import copy
import hashlib
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace
from typing import Generic, TypeVar, cast
from uuid import UUID

from qdrant_client import QdrantClient
from qdrant_client import models as qm
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from docmind.corpus.index.conditions import PAYLOAD_INDEXES, Conditions, stored_payload, visible
from docmind.corpus.index.contract import Candidates, Point, Scores, SparseVector, search_both, weighed
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import StoreError, StoreUnavailable
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

Key = TypeVar("Key", bound=Hashable)

REMEMBERED_S = 10.0
MOST_REMEMBERED = 10_000


class Remembered(Generic[Key]):
    """Numbers kept for a moment, since others may write at any time; one that was not there is asked for again.

    They weigh by their logarithm, so what is written in a moment to a store that has any changes next to nothing.
    """

    def __init__(self, kept_s: float = REMEMBERED_S) -> None:
        self._kept_s = kept_s
        self._kept: dict[Key, tuple[float, float]] = {}

    def numbers(self, keys: Sequence[Key], ask: Callable[[Sequence[Key]], Mapping[Key, float]]) -> dict[Key, float]:
        """Those of the keys that have one; `ask` is asked for what is not known."""
        now = time.monotonic()
        known = {key: kept[0] for key in keys if (kept := self._kept.get(key)) and kept[1] > now}
        if missing := [key for key in keys if key not in known]:
            found = {key: number for key, number in ask(missing).items() if number}
            if len(self._kept) + len(found) > MOST_REMEMBERED:
                self._kept.clear()
            self._kept.update((key, (number, now + self._kept_s)) for key, number in found.items())
            known |= found
        return known

    def forget(self) -> None:
        self._kept.clear()


FieldIndex = qm.KeywordIndexParams | qm.IntegerIndexParams | qm.DatetimeIndexParams


class Tenant:
    """One workspace in the shared collection: nothing leaves this class that could reach another."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._mask = int.from_bytes(hashlib.sha256(workspace.encode()).digest()[:16])

    def point(self, point: Point) -> qm.PointStruct:
        vectors: dict[str, qm.Vector] = {"dense": list(point.dense), "bm25": sparse_query(point.sparse)}
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


def sparse_query(vector: SparseVector) -> qm.SparseVector:
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


POINTS_A_WRITE = 500


class ServerIndex:
    shared = True

    def __init__(
        self,
        url: str,
        *,
        dimension: int,
        embedder: str,
        api_key: str | None = None,
        collection: str = "docmind",
        timeout_s: int = 60,
    ) -> None:
        self._url = url
        self._collection = self._first_collection = collection
        self.storing = threading.Lock()
        self._collection = collection
        self._identity = Identity(embedder, dimension)
        self._totals: Remembered[tuple[str, Conditions]] = Remembered()
        self._weights: Remembered[tuple[str, int]] = Remembered()
        self._client = QdrantClient(url=url, api_key=api_key, timeout=timeout_s, check_compatibility=False)
        try:
            with self._asking():
                self.base = self._prepare()
                if not self._identity.is_same(self.base):
                    self._settle_beside()
        except StoreError:
            self._client.close()
            raise

    def of(self, identity: Identity) -> "ServerIndex":
        """The same server, for the vectors of another embedder."""
        other = copy.copy(self)
        other._identity = identity
        other._collection = self._first_collection
        other._totals, other._weights = Remembered(), Remembered()
        if not identity.is_same(self.base):
            with self._asking():
                other._settle_beside()
        return other

    def _settle_beside(self) -> None:
        """Vectors of another length need a collection of their own."""
        self._collection = f"{self._first_collection}-{self._identity.key}"
        self._prepare()

    def upsert(self, workspace: str, points: Sequence[Point]) -> None:
        tenant = Tenant(workspace)
        for start in range(0, len(points), POINTS_A_WRITE):
            batch = [tenant.point(point) for point in points[start : start + POINTS_A_WRITE]]
            with self._asking():
                self._client.upsert(self._collection, batch, wait=True)
            self._forget_statistics()

    def delete_documents(self, workspace: str, document_ids: Sequence[str]) -> None:
        if document_ids:
            self._delete(Tenant(workspace).of_documents(list(document_ids)))

    def search(
        self, scope: Scope, dense: Sequence[float], sparse: SparseVector, filters: Filters, limit: int
    ) -> Candidates:
        tenant = Tenant(scope.workspace)
        queries: list[tuple[qm.NearestQuery, str]] = [
            (qm.NearestQuery(nearest=list(dense)), "dense"),
            (qm.NearestQuery(nearest=sparse_query(sparse)), "bm25"),
        ]

        def run(chosen: Sequence[qm.Filter], limit: int, *, exact: bool) -> tuple[Scores, Scores]:
            params = qm.SearchParams(exact=exact)
            requests = [
                qm.QueryRequest(query=query, using=name, filter=filter, limit=limit, params=params)
                for (query, name), filter in zip(queries, chosen, strict=True)
            ]
            by_dense, by_bm25 = self._client.query_batch_points(self._collection, requests)
            return tenant.scores(by_dense), tenant.scores(by_bm25)

        conditions = visible(scope, filters)
        seen = tenant.meeting(conditions)

        def rank() -> tuple[Scores, Scores]:
            return run([seen] * 2, limit, exact=False)

        def rescore(dense_ids: Set[str], bm25_ids: Set[str]) -> tuple[Scores, Scores]:
            most = max(len(dense_ids), len(bm25_ids))
            chosen = [tenant.with_ids(set(ids)) for ids in (dense_ids, bm25_ids)]
            return run(chosen, most, exact=True) if most else ({}, {})

        with self._asking():
            weights = self._weigh(scope.workspace, weighed(sparse))
            return search_both(rank, rescore, sparse, weights, self._total(scope.workspace, conditions))

    def _total(self, workspace: str, conditions: Conditions) -> int:
        seen = replace(conditions, excluded=())
        chosen = Tenant(workspace).meeting(seen)
        key = (workspace, seen)
        known = self._totals.numbers(
            [key], lambda _: {key: self._client.count(self._collection, count_filter=chosen, exact=True).count}
        )
        return int(known.get(key, 0))

    def _weigh(self, workspace: str, tokens: Sequence[int]) -> dict[int, float]:
        keys = [(workspace, token) for token in tokens]
        return {token: weight for (_, token), weight in self._weights.numbers(keys, self._ask_weights).items()}

    def _ask_weights(self, keys: Sequence[tuple[str, int]]) -> dict[tuple[str, int], float]:
        """The server's own weight of each token the workspace has, read off its best point for that token alone."""
        requests = [
            qm.QueryRequest(
                query=qm.NearestQuery(nearest=qm.SparseVector(indices=[token], values=[1.0])),
                using="bm25",
                filter=Tenant(workspace).everything(),
                limit=1,
                with_vector=["bm25"],
            )
            for workspace, token in keys
        ]
        found = self._client.query_batch_points(self._collection, requests)
        return {key: weight_of(best.points[0], key[1]) for key, best in zip(keys, found, strict=True) if best.points}

    def count(self, workspace: str, *document_ids: str) -> int:
        tenant = Tenant(workspace)
        chosen = tenant.of_documents(list(document_ids)) if document_ids else tenant.everything()
        with self._asking():
            return self._client.count(self._collection, count_filter=chosen, exact=True).count

    def drop(self, workspace: str) -> None:
        self._delete(Tenant(workspace).everything())

    def optimize(self, workspace: str) -> bool:  # noqa: ARG002 -- a server does this by itself, all the time
        return False

    def describe(self) -> dict[str, str | int]:
        with self._asking():
            version = self._client.info().version
        return {"engine": "qdrant", "place": f"{self._url} ({self._collection})", "version": version}

    def close(self) -> None:
        self._client.close()

    def _prepare(self) -> Identity:
        if not self._client.collection_exists(self._collection):
            self._create()
        metadata = self._client.get_collection(self._collection).config.metadata or {}
        place = f"{self._url} (collection {self._collection!r})"
        made_by = Identity.recorded(metadata, place, "delete that collection")
        # Every time, because whoever created the collection may have been stopped before this; it is quick when done.
        for name, schema in payload_indexes().items():
            self._client.create_payload_index(self._collection, name, schema, wait=True)
        return made_by

    def _create(self) -> None:
        try:
            self._client.create_collection(
                self._collection,
                vectors_config={"dense": qm.VectorParams(size=self._identity.dimension, distance=qm.Distance.COSINE)},
                sparse_vectors_config={"bm25": qm.SparseVectorParams(modifier=qm.Modifier.IDF)},
                metadata=self._identity.record(),
            )
        except UnexpectedResponse as error:
            # Another process was quicker; what it made is checked like any other.
            if error.status_code != 409:
                raise

    def _delete(self, chosen: qm.Filter) -> None:
        with self._asking():
            self._client.delete(self._collection, qm.FilterSelector(filter=chosen), wait=True)
        self._forget_statistics()

    def _forget_statistics(self) -> None:
        self._totals.forget()
        self._weights.forget()

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn what the client raises into our own errors."""
        try:
            yield
        except ResponseHandlingException as error:
            raise StoreUnavailable(f"The Qdrant server at {self._url} does not answer: {error}.") from error
        except UnexpectedResponse as error:
            if error.status_code in (401, 403):
                raise StoreError(f"The Qdrant server at {self._url} refuses the API key.") from error
            if error.status_code is not None and error.status_code >= 500:
                raise StoreUnavailable(f"The Qdrant server at {self._url} cannot answer now: {error}.") from error
            raise StoreError(f"The Qdrant server at {self._url} refused a request: {error}.") from error
        except ApiException as error:
            raise StoreError(f"The Qdrant server at {self._url} failed: {error}.") from error
