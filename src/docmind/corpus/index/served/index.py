"""A Qdrant server or cluster by URL: one collection for the installation, workspaces held apart as its tenants."""

import copy
import threading
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import replace

from qdrant_client import QdrantClient
from qdrant_client import models as qm
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from docmind.corpus.index.both_scores import Scores, search_both, weighed
from docmind.corpus.index.conditions import Conditions, visible
from docmind.corpus.index.contract import Candidates, Point, SparseVector
from docmind.corpus.index.identity import Identity
from docmind.corpus.index.served.queries import Tenant, payload_indexes, weight_of
from docmind.corpus.index.served.queries import sparse as sparse_query
from docmind.corpus.index.served.remembered import Remembered
from docmind.domain.errors import StoreError, StoreUnavailable
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

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
