"""A key reaches its own workspace and user, through whatever door it is used."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from docmind.domain.scope import Role
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app

FILE = ("a.md", "# A\n\nText.\n")
MESSAGES = [{"role": "user", "content": "x"}]
BODIES: dict[str, dict[str, Any]] = {
    "POST /v1/ask": {"json": {"question": "x"}},
    "POST /v1/search": {"json": {"query": "x"}},
    "POST /v1/check": {"json": {"text": "x"}},
    "POST /v1/chat/completions": {"json": {"model": "docs", "messages": MESSAGES}},
    "POST /v1/documents": {"files": [("files", FILE)]},
    "POST /v1/uploads": {"files": [("files", FILE)]},
    "POST /v1/documents/web": {"json": {"url": "https://example.org/"}},
    "POST /v1/uploads/web": {"json": {"url": "https://example.org/"}},
    "POST /v1/facilities": {"files": [("file", FILE)]},
    "PUT /v1/runs/{id}/feedback": {"json": {"right": True}},
}
"""What a request needs besides the scope it names."""
NO_SCOPE = {"GET /v1/me", "GET /v1/workflows", "GET /v1/models", "GET /v1/workspaces", "POST /v1/workspaces"}
"""Routes that nobody names a scope to; those of workspaces are tested by what they list and make."""


@pytest.fixture(scope="module")
def engine(library: DocMind) -> Iterator[DocMind]:
    yield library
    library.keys.forget()


@pytest.fixture(scope="module")
def client(engine: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine)) as opened:
        _, token = engine.keys.create(Role.ADMIN, workspace="default", user="alice")
        opened.headers["Authorization"] = f"Bearer {token}"
        yield opened


def naming(client: httpx.Client, operation: str, scope: dict[str, str]) -> httpx.Response:
    """The answer to a request that names a scope as this operation has it named."""
    method, path = operation.split()
    address = (
        path.replace("{id}", "diary.md").replace("{number}", "1").replace("{name}", scope.get("workspace", "default"))
    )
    if method in ("GET", "DELETE"):
        return client.request(method, address, params=scope if "{name}" not in path else None)
    sent = dict(BODIES.get(operation, {"json": {}}))
    if "files" in sent:
        return client.request(method, address, data=scope, **sent)
    return client.request(method, address, json=sent["json"] | scope)


@pytest.mark.parametrize("scope", [{"workspace": "other"}, {"user": "bob"}, {"workspace": "other", "user": "alice"}])
def test_no_route_takes_a_scope_that_is_not_the_keys(client: httpx.Client, scope: dict[str, str]) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    operations = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    asked = {operation for operation in operations if " /v1/" in operation} - NO_SCOPE
    assert len(asked) > 20
    if "workspace" not in scope:
        asked = {operation for operation in asked if "{name}" not in operation}
    refused = {operation: naming(client, operation, scope) for operation in sorted(asked)}
    assert {operation: (each.status_code, each.json()["code"]) for operation, each in refused.items()} == dict.fromkeys(
        refused, (403, "forbidden")
    )


def test_a_request_that_names_nothing_gets_the_keys_own(client: httpx.Client) -> None:
    names = {row["name"].split("/")[-1] for row in client.get("/v1/documents").json()["documents"]}
    assert names == {"minutes.md", "prices.csv", "diary.md"}
    answer = client.post("/v1/ask", json={"question": "What do I think of the Halden mill?"}).json()
    assert "overpriced" in answer["answer"]
    assert answer["run_id"] in {row["id"] for row in client.get("/v1/runs").json()["runs"]}


def test_two_users_ask_the_same_and_neither_sees_the_others(engine: DocMind, client: httpx.Client) -> None:
    _, token = engine.keys.create(Role.READER, workspace="default", user="bob")
    bob = {"Authorization": f"Bearer {token}"}
    asked = {"question": "What do I think of the Halden mill?", "workflow": "chat", "thread": "secret"}
    hers, his = (client.post("/v1/ask", json=asked, headers=who).json() for who in ({}, bob))
    assert "mill is overpriced" in hers["answer"]
    assert "mill is overpriced" not in his["answer"]
    for path in (f"/v1/runs/{hers['run_id']}", f"/v1/documents/{hers['citations'][0]['document']}/original"):
        assert client.get(path).status_code == 200
        assert client.get(path, headers=bob).status_code == 404
    (turn,) = client.get("/v1/threads/secret", headers=bob).json()["turns"]
    assert turn["run"] == his["run_id"]


def test_a_reader_brings_nothing_in_and_takes_nothing_away(engine: DocMind, client: httpx.Client) -> None:
    _, token = engine.keys.create(Role.READER, workspace="default")
    reader = {"Authorization": f"Bearer {token}"}
    tries = [
        client.post("/v1/documents", files=[("files", FILE)], headers=reader),
        client.post("/v1/uploads", files=[("files", FILE)], headers=reader),
        client.delete("/v1/uploads/any", headers=reader),
        client.post("/v1/documents/web", json={"url": "https://example.org/"}, headers=reader),
        client.post("/v1/uploads/web", json={"url": "https://example.org/"}, headers=reader),
        client.delete("/v1/documents/minutes.md", headers=reader),
        client.post("/v1/facilities", files=[("file", FILE)], headers=reader),
        client.post("/v1/workspaces", json={"name": "default"}, headers=reader),
        client.delete("/v1/workspaces/default", headers=reader),
    ]
    assert {refused.json()["code"] for refused in tries} == {"forbidden"}
    assert client.get("/v1/documents/minutes.md").status_code == 200
