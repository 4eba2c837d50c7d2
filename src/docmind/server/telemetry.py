"""Spans for an OpenTelemetry collector, one a request, a run, a node and a model call; imported where one is named."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from fastapi import FastAPI
from langchain_core.callbacks import BaseCallbackHandler
from langgraph.errors import GraphBubbleUp
from opentelemetry.context import attach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docmind.domain.answers import RunResult
from docmind.domain.budget import Usage
from docmind.server.metrics import route_of
from docmind.server.middleware import PROBES
from docmind.version import VERSION

# What an exception says may quote a document, so spans hold its kind alone.
_WITHOUT_WORDS: dict[str, Any] = {"record_exception": False, "set_status_on_exception": False}


class Telemetry:
    """Looks on at an engine's runs and sends what it sees to the collector that the environment names."""

    def __init__(self) -> None:
        name = os.environ.get("OTEL_SERVICE_NAME", "docmind")
        resource = Resource.create({"service.name": name, "service.version": VERSION})
        self._provider = TracerProvider(resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self.tracer = self._provider.get_tracer("docmind")

    def install(self, app: FastAPI) -> None:
        app.add_middleware(Tracing, tracer=self.tracer)

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()

    @contextmanager
    def run(self, run_id: str, workflow: str) -> Iterator[Callable[[RunResult], None]]:
        asked = {"docmind.run": run_id, "docmind.workflow": workflow}
        with (
            self.tracer.start_as_current_span(f"run {workflow}", attributes=asked, **_WITHOUT_WORDS) as span,
            _failing(span),
        ):

            def ended(result: RunResult) -> None:
                span.set_attribute("docmind.status", result.status.value)
                span.set_attribute("docmind.model_calls", result.usage.model_calls)
                span.set_attribute("docmind.tokens", result.usage.tokens)

            yield ended

    @contextmanager
    def model_call(self, model: str) -> Iterator[Callable[[Usage], None]]:
        span = self.tracer.start_span(
            f"chat {model}", kind=SpanKind.CLIENT, attributes={"gen_ai.request.model": model}, **_WITHOUT_WORDS
        )

        def took(usage: Usage) -> None:
            span.set_attribute("gen_ai.usage.input_tokens", usage.input_tokens)
            span.set_attribute("gen_ai.usage.output_tokens", usage.output_tokens)

        try:
            with _failing(span):
                yield took
        finally:
            span.end()

    def on_nodes(self) -> list[BaseCallbackHandler]:
        return [_Nodes(self.tracer)]


class _Nodes(BaseCallbackHandler):
    """One a run. A node runs in a task of its own, so its span is the current one there and nowhere else."""

    run_inline = True

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._open: dict[UUID, Span] = {}

    def on_chain_start(self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **told: Any) -> None:
        node = (metadata or {}).get("langgraph_node")
        # LangGraph also tells of the graph around a node and of what follows inside it.
        if node is not None and told.get("name") == node:
            span = self._tracer.start_span(f"node {node}", attributes={"docmind.node": node}, **_WITHOUT_WORDS)
            self._open[run_id] = span
            attach(set_span_in_context(span))

    def on_chain_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        if span := self._open.pop(run_id, None):
            span.end()

    def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        if span := self._open.pop(run_id, None):
            # A node that asks a person something ends this way as well.
            if not isinstance(error, GraphBubbleUp):
                _fail(span, error)
            span.end()


class Tracing:
    """A span a request, within the trace of whoever sent it where they say which that is."""

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
        self._app = app
        self._tracer = tracer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        method = scope["method"]
        sender = TraceContextTextMapPropagator().extract(Headers(scope=scope))
        asked = {"http.request.method": method}
        with (
            self._tracer.start_as_current_span(method, sender, SpanKind.SERVER, asked, **_WITHOUT_WORDS) as span,
            _failing(span),
        ):

            async def noting(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    span.set_attribute("http.route", route_of(scope))
                    span.update_name(f"{method} {route_of(scope)}")
                await send(message)

            await self._app(scope, receive, noting)


@contextmanager
def _failing(span: Span) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        _fail(span, error)
        raise


def _fail(span: Span, error: BaseException) -> None:
    span.set_attribute("error.type", type(error).__name__)
    span.set_status(StatusCode.ERROR)
