"""What the service counts, for Prometheus: requests, runs and model calls; no label holds a scope or any text."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.domain.answers import RunResult
from docmind.domain.budget import Usage

if TYPE_CHECKING:
    from langchain_core.callbacks import BaseCallbackHandler

COUNTS = "PROMETHEUS_MULTIPROC_DIR"
"""Where the workers of one service count together: the variable by which the library wants to be told."""

ELSEWHERE = "other"
"""A request that reached no route, a method nobody knows: what a client invents must not become a label."""
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """Counts for one application, and looks on at its engine's runs."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        route = ("method", "route")
        self._requests = Counter("docmind_requests", "Requests answered.", (*route, "status"), registry=own)
        self._request_s = Histogram(
            "docmind_request_seconds", "How long requests took.", route, registry=own, buckets=_SECONDS
        )
        self._runs = Counter("docmind_runs", "Runs by how they ended.", ("workflow", "status"), registry=own)
        self._run_s = Histogram(
            "docmind_run_seconds", "How long runs took.", ("workflow",), registry=own, buckets=_SECONDS
        )
        self._running = Gauge(
            "docmind_runs_running", "Runs under way.", ("workflow",), registry=own, multiprocess_mode="livesum"
        )
        self._calls = Counter("docmind_model_calls", "Calls of chat models.", ("model", "outcome"), registry=own)
        self._tokens = Counter("docmind_model_tokens", "Tokens of chat models.", ("model", "direction"), registry=own)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        method = method if method in _METHODS else ELSEWHERE
        self._requests.labels(method, route, str(status)).inc()
        self._request_s.labels(method, route).observe(seconds)

    @contextmanager
    def run(self, _run_id: str, workflow: str) -> Iterator[Callable[[RunResult], None]]:
        status, begun = "stopped", time.perf_counter()

        def ended(result: RunResult) -> None:
            nonlocal status
            status = result.status.value

        self._running.labels(workflow).inc()
        try:
            yield ended
        except Exception:
            status = "failed"
            raise
        finally:
            self._running.labels(workflow).dec()
            self._runs.labels(workflow, status).inc()
            self._run_s.labels(workflow).observe(time.perf_counter() - begun)

    @contextmanager
    def model_call(self, model: str) -> Iterator[Callable[[Usage], None]]:
        outcome = "stopped"

        def took(usage: Usage) -> None:
            nonlocal outcome
            outcome = "answered"
            self._tokens.labels(model, "read").inc(usage.input_tokens)
            self._tokens.labels(model, "written").inc(usage.output_tokens)

        try:
            yield took
        except Exception:
            outcome = "failed"
            raise
        finally:
            self._calls.labels(model, outcome).inc()

    def on_nodes(self) -> "list[BaseCallbackHandler]":
        return []

    def page(self) -> bytes:
        """What was counted so far, by all workers where there are several."""
        folder = os.environ.get(COUNTS)
        if folder is None:
            return generate_latest(self._registry)
        _forget_the_dead(Path(folder))
        together = CollectorRegistry()
        MultiProcessCollector(together, folder)  # type: ignore[no-untyped-call]
        return generate_latest(together)


class Counting:
    """The outermost layer, so that what is refused counts as well."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, begun = 500, time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            self._metrics.answered(scope["method"], route_of(scope), status, time.perf_counter() - begun)


def route_of(scope: Scope) -> str:
    """The pattern of the path, which names no document, run or thread."""
    return getattr(scope.get("route"), "path", ELSEWHERE)


def _forget_the_dead(folder: Path) -> None:
    """A worker that was killed while runs were under way would have them run for ever."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*_*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]
