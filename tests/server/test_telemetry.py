"""Spans as a collector receives them: a real one of OTLP over HTTP, which only writes down what comes."""

import gzip
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from docmind.domain.errors import ModelError
from docmind.domain.scope import Scope
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import Settings

TRACE = "0af7651916cd43dd8448eb211c80319c"


class Collector(ThreadingHTTPServer):
    """Keeps every span it is sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiving)
        self.services: set[str] = set()
        self.spans: list[Span] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def parent_of(self, span: Span) -> Span | None:
        return next((one for one in self.spans if one.span_id == span.parent_span_id), None)


class Receiving(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert self.path == "/v1/traces"
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.server.services |= {
                one.value.string_value for one in resource.resource.attributes if one.key == "service.name"
            }
            self.server.spans += [span for scope in resource.scope_spans for span in scope.spans]
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: a test's output is its own."""


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with Collector() as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.url)
        yield server
        server.shutdown()
        thread.join()


def attributes(span: Span) -> dict[str, Any]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


@pytest.fixture(params=["application/json", "text/event-stream"])
def asked(
    request: pytest.FixtureRequest, settings: Settings, serving: Any, collector: Collector, tmp_path: Path
) -> Collector:
    """The collector after one run that was asked for over HTTP, one model call of which failed."""
    paper = tmp_path / "mill.md"
    paper.write_text("# The mill\n\nIt cost 14.2 million euros.\n", encoding="utf-8")
    lines = iter([ModelError("Down, said the secret.")])
    model = ScriptedChat(lambda _: next(lines, "The secret is out."))
    question = {"question": "What is the secret of Halden?", "workspace": "default", "user": "alice"}
    with DocMind(settings, roles=Roles(writer=model)) as engine, serving(create_app(engine)) as client:
        engine.ingest([paper], Scope("default"))
        sent = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "Accept": request.param}
        assert client.post("/v1/ask", json=question, headers=sent).status_code == 200
        assert client.get("/healthz").status_code == 200
    return collector


def test_a_request_a_run_its_nodes_and_its_model_calls_are_one_tree(asked: Collector) -> None:
    (request,) = asked.named("POST /v1/ask")
    (run,) = asked.named("run docs")
    calls = asked.named("chat scripted")
    assert asked.parent_of(run) == request
    nodes = [span for span in asked.spans if span.name.startswith("node ")]
    assert {node.name for node in nodes} >= {"node decompose", "node retrieve", "node output"}
    assert all(asked.parent_of(node) == run for node in nodes)
    assert calls
    assert all((parent := asked.parent_of(call)) and parent.name.startswith("node ") for call in calls)
    assert {span.trace_id.hex() for span in asked.spans} == {TRACE}
    assert len(asked.spans) == 2 + len(nodes) + len(calls)
    assert asked.services == {"docmind"}


def test_spans_say_what_happened_and_what_it_took(asked: Collector) -> None:
    (request,) = asked.named("POST /v1/ask")
    assert attributes(request) == {
        "http.request.method": "POST",
        "http.route": "/v1/ask",
        "http.response.status_code": 200,
    }
    (run,) = asked.named("run docs")
    told = attributes(run)
    calls = asked.named("chat scripted")
    assert told["docmind.workflow"] == "docs"
    assert told["docmind.status"] == "refused"
    assert told["docmind.model_calls"] == len(calls)
    failed = [call for call in calls if call.status.code == Status.STATUS_CODE_ERROR]
    assert [attributes(call)["error.type"] for call in failed] == ["ModelError"]
    assert all(attributes(call)["gen_ai.usage.output_tokens"] for call in calls if call not in failed)
    assert all(span.end_time_unix_nano >= span.start_time_unix_nano > 0 for span in asked.spans)


def test_no_span_holds_a_word_of_what_was_asked_or_by_whom(asked: Collector) -> None:
    sent = " ".join(str(span) for span in asked.spans)
    for word in ("secret", "Halden", "alice"):
        assert word not in sent


def test_nothing_of_it_is_imported_where_no_collector_is_named() -> None:
    program = (
        "import sys; from docmind.server.watchers import open_telemetry\n"
        "print(open_telemetry(), any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("None False\n", "")


def test_a_collector_that_is_not_there_disturbs_nobody(
    settings: Settings, serving: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    with DocMind(settings) as engine, serving(create_app(engine)) as client:
        assert client.get("/v1/documents").status_code == 200
