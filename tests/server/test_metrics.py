"""What the service counts, as Prometheus reads it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from docmind.domain.errors import ModelError
from docmind.domain.scope import Role, Scope
from docmind.models.chat.recording import Line, ScriptedChat, Silence
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from tests.server.conftest import eventually

Counts = dict[tuple[str, ...], float]


@pytest.fixture
def client(library: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(library)) as opened:
        yield opened
    library.keys.forget()


def counted(client: httpx.Client, name: str, **headers: str) -> Counts:
    """The samples of a name, by the values of their labels, which come in the order of the labels' names."""
    page = client.get("/metrics", headers=headers)
    assert page.status_code == 200, page.text
    samples = (sample for family in text_string_to_metric_families(page.text) for sample in family.samples)
    return {tuple(sample.labels.values()): sample.value for sample in samples if sample.name == name}


def test_requests_are_counted_by_method_route_and_status(client: httpx.Client) -> None:
    client.get("/v1/documents")
    client.get("/v1/documents/minutes.md")
    client.get("/v1/documents/nowhere.md")
    client.get("/v1/nowhere/at-all")
    client.request("BREW", "/v1/documents")
    client.get("/v1/documents", headers={"Host": "papers.example"})
    assert counted(client, "docmind_requests_total") == {
        ("GET", "/v1/documents", "200"): 1,
        ("GET", "/v1/documents/{id}", "200"): 1,
        ("GET", "/v1/documents/{id}", "404"): 1,
        ("GET", "other", "404"): 1,
        ("other", "/v1/documents", "405"): 1,
        ("GET", "other", "421"): 1,
    }
    assert counted(client, "docmind_request_seconds_count")["GET", "/v1/documents"] == 1


def test_runs_are_counted_by_workflow_and_how_they_ended(opened: Any, serving: Any) -> None:
    said: list[Line] = [ModelError("It is down.")]
    engine = opened(ScriptedChat(lambda _: said[-1]))
    with serving(create_app(engine)) as client:
        engine.run("How much was the Halden mill?", Scope("default"))
        engine.run("Who won the race in Peru?", Scope("default"))
        # Silent, so that the run cannot end before it is stopped.
        said.append(Silence())
        events = engine.stream("How much was the Halden mill?", Scope("default"))
        next(events)
        events.close()
        # Whoever stops reading does not wait until the run has noticed.
        eventually(lambda: sum(counted(client, "docmind_runs_total").values()) == 3)
        assert counted(client, "docmind_runs_total") == {
            ("answered", "docs"): 1,
            ("refused", "docs"): 1,
            ("stopped", "docs"): 1,
        }
        assert counted(client, "docmind_runs_running") == {("docs",): 0}
        assert counted(client, "docmind_run_seconds_count") == {("docs",): 3}


def test_model_calls_are_counted_with_their_tokens_and_failures(settings: Any, serving: Any, tmp_path: Path) -> None:
    paper = tmp_path / "mill.md"
    paper.write_text("# The mill\n\nIt cost 14.2 million euros.\n", encoding="utf-8")
    lines = iter([ModelError("It is down.")])
    model = ScriptedChat(lambda _: next(lines, "It cost 14.2 million euros."))
    with DocMind(settings, roles=Roles(writer=model)) as engine, serving(create_app(engine)) as client:
        engine.ingest([paper], Scope("default"))
        for _ in range(2):
            engine.run("How much was the mill?", Scope("default"))
        calls, tokens = counted(client, "docmind_model_calls_total"), counted(client, "docmind_model_tokens_total")
    assert calls == {("scripted", "failed"): 1, ("scripted", "answered"): model.calls - 1}
    assert tokens.keys() == {("read", "scripted"), ("written", "scripted")}
    assert all(tokens.values())


def test_no_label_holds_a_scope_a_question_or_a_name(client: httpx.Client, library: DocMind) -> None:
    library.run("What of the Halden mill?", Scope("default", "alice"))
    client.get("/v1/documents/minutes.md", params={"workspace": "secret-plans", "user": "alice"})
    page = client.get("/metrics").text
    for told in ("secret-plans", "alice", "Halden", "minutes"):
        assert told not in page


def test_with_keys_it_takes_an_admins_key_or_this_machine(client: httpx.Client, library: DocMind) -> None:
    afar = {"X-Forwarded-For": "203.0.113.9"}
    assert client.get("/metrics", headers=afar).status_code == 401
    _, reader = library.keys.create(Role.READER, workspace="default")
    _, admin = library.keys.create(Role.ADMIN, workspace=None)
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", headers=afar).status_code == 401
    assert client.get("/metrics", headers={**afar, "Authorization": f"Bearer {reader}"}).status_code == 403
    assert client.get("/metrics", headers={**afar, "Authorization": f"Bearer {admin}"}).status_code == 200
