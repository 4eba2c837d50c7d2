"""Keys over real HTTP: who is let in, where to, for what, how often, and who notices when one is taken back."""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import httpx
import pytest

from docmind.domain.errors import Forbidden, InvalidScope
from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.auth import LOCAL, Admin, Caller, Editor, Reader
from docmind.server.deps import Scoped

Bearer = Callable[..., dict[str, str]]


SHARED = {"minutes.md", "prices.csv"}


@pytest.fixture(scope="module")
def address(library: DocMind, serving: Any) -> Iterator[httpx.Client]:
    """The service, with a route for each role."""
    app = create_app(library)

    @app.get("/v1/for/reader")
    async def for_readers(caller: Reader) -> str | None:
        return caller.key

    @app.get("/v1/for/editor")
    async def for_editors(caller: Editor) -> str | None:
        return caller.key

    @app.get("/v1/for/admin")
    async def for_admins(caller: Admin) -> str | None:
        return caller.key

    with serving(app) as client:
        yield client


@pytest.fixture
def client(address: httpx.Client, library: DocMind) -> Iterator[httpx.Client]:
    """Every test starts and ends without keys."""
    yield address
    library.keys.forget()


@pytest.fixture
def bearer(library: DocMind) -> Bearer:
    """The header that shows a new key."""

    def make(role: Role = Role.READER, workspace: str | None = "default", **options: Any) -> dict[str, str]:
        _, token = library.keys.create(role, workspace=workspace, **options)
        return {"Authorization": f"Bearer {token}"}

    return make


def seen(answer: httpx.Response) -> set[str]:
    assert answer.status_code == 200, answer.text
    return {row["name"].split("/")[-1] for row in answer.json()["documents"]}


def told(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_without_keys_this_machine_may_name_any_scope(client: httpx.Client) -> None:
    assert seen(client.get("/v1/documents", params={"user": "alice"})) == {*SHARED, "diary.md"}
    assert seen(client.get("/v1/documents", params={"workspace": "other"})) == {"plan.md"}
    assert client.get("/v1/for/admin").json() is None


def test_without_keys_a_key_that_programs_have_to_send_is_nothing_to_refuse(client: httpx.Client) -> None:
    assert client.get("/v1/documents", headers={"Authorization": "Bearer sk-none"}).status_code == 200


def test_without_keys_nobody_else_may_ask_through_a_proxy_on_this_machine(client: httpx.Client) -> None:
    refused = client.get("/v1/documents", headers={"X-Forwarded-For": "203.0.113.9"})
    assert told(refused) == (401, "unauthorized")


def test_with_the_first_key_everybody_needs_one(client: httpx.Client, bearer: Bearer) -> None:
    assert client.get("/v1/documents").status_code == 200
    key = bearer()
    for path in ("/v1/documents", "/v1/nowhere", "/mcp", "/metrics/", "/anything"):
        refused = client.get(path)
        assert told(refused) == (401, "unauthorized")
        assert refused.headers["www-authenticate"] == "Bearer"
        assert "Authorization: Bearer dm_" in refused.json()["detail"]
    assert told(client.post("/v1/search", content=b"not even JSON")) == (401, "unauthorized")
    assert seen(client.get("/v1/documents", headers=key)) == SHARED


def test_every_operation_asks_for_its_caller_and_says_so(address: httpx.Client) -> None:
    described = address.get("/openapi.json").json()
    assert described["components"]["securitySchemes"]["HTTPBearer"]["scheme"] == "bearer"
    without = {
        path for path, methods in described["paths"].items() for one in methods.values() if "security" not in one
    }
    assert without == {"/healthz", "/readyz"}


def test_what_holds_nothing_stays_open(client: httpx.Client, bearer: Bearer) -> None:
    bearer()
    for path in ("/healthz", "/readyz", "/openapi.json"):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/static/../v1/documents", "/static/%2e%2e/v1/documents", "//v1/documents", "/V1/documents"]
)
def test_no_other_spelling_of_a_path_goes_round_the_door(client: httpx.Client, bearer: Bearer, path: str) -> None:
    bearer()
    with closing(HTTPConnection("127.0.0.1", client.base_url.port)) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status in (401, 404)
        assert b"minutes.md" not in answer.read()


@pytest.mark.parametrize("header", [b"Bearer", b"Bearer dm_x_y", b"Basic ZG06eA==", b"dm_x_y", b"Bearer \xff"])
def test_what_is_not_a_key_is_refused(client: httpx.Client, bearer: Bearer, header: bytes) -> None:
    bearer()
    refused = client.get("/v1/documents", headers=[(b"Authorization", header)])
    assert told(refused) == (401, "unauthorized")


def test_a_key_is_refused_at_once_when_it_is_revoked(client: httpx.Client, library: DocMind, bearer: Bearer) -> None:
    key = bearer()
    assert client.get("/v1/documents", headers=key).status_code == 200
    library.keys.revoke(key["Authorization"].split("_")[1])
    refused = client.get("/v1/documents", headers=key)
    assert told(refused) == (401, "unauthorized")
    assert refused.json()["detail"] == "This key is unknown or has been revoked."
    assert told(client.get("/v1/documents")) == (401, "unauthorized")


def test_a_key_opens_its_own_workspace_whether_or_not_it_is_named(client: httpx.Client, bearer: Bearer) -> None:
    key = bearer(workspace="other")
    for named in ({}, {"workspace": "other"}):
        assert seen(client.get("/v1/documents", params=named, headers=key)) == {"plan.md"}
        answer = client.post("/v1/search", json={"query": "the mill", **named}, headers=key)
        assert {hit["name"].split("/")[-1] for hit in answer.json()["hits"]} == {"plan.md"}


@pytest.mark.parametrize("scope", [{"workspace": "other"}, {"workspace": "empty"}, {"user": "bob"}])
def test_a_request_that_names_another_scope_than_the_keys_is_forbidden(
    client: httpx.Client, bearer: Bearer, scope: dict[str, str]
) -> None:
    key = bearer(user="alice")
    assert seen(client.get("/v1/documents", headers=key)) == {*SHARED, "diary.md"}
    for refused in (
        client.get("/v1/documents", params=scope, headers=key),
        client.post("/v1/search", json={"query": "mill", **scope}, headers=key),
    ):
        assert told(refused) == (403, "forbidden")
        assert (
            refused.json()["detail"]
            == "This key is for workspace 'default' and user 'alice'. Use it there, or use another key."
        )


def test_a_key_without_a_user_sees_nobodys_own_documents_unless_it_is_an_admins(
    client: httpx.Client, bearer: Bearer
) -> None:
    alice = {"user": "alice"}
    for role in (Role.READER, Role.EDITOR):
        assert told(client.get("/v1/documents", params=alice, headers=bearer(role))) == (403, "forbidden")
    admin = bearer(Role.ADMIN)
    assert seen(client.get("/v1/documents", params=alice, headers=admin)) == {*SHARED, "diary.md"}
    assert told(client.get("/v1/documents", params={"workspace": "other"}, headers=admin)) == (403, "forbidden")
    everywhere = bearer(Role.ADMIN, workspace=None)
    assert seen(client.get("/v1/documents", params={"workspace": "other"}, headers=everywhere)) == {"plan.md"}


ASKED = {"question": "What did the board pay for the Halden mill?", "workflow": "chat", "thread": "monday"}


def test_the_first_key_goes_on_with_what_was_asked_before_there_were_any(
    client: httpx.Client, library: DocMind, bearer: Bearer
) -> None:
    run = client.post("/v1/ask", json=ASKED).json()["run_id"]

    def runs(key: dict[str, str]) -> list[str]:
        listed = client.get("/v1/runs", params={"workspace": "default"}, headers=key).json()["runs"]
        return [row["id"] for row in listed]

    # Other tests may have asked before, too.
    before = runs({})
    assert run in before
    first, second = bearer(Role.ADMIN, workspace=None), bearer(Role.ADMIN, workspace=None)
    assert runs(first) == before
    assert (runs(second), runs(bearer(Role.ADMIN))) == ([], [])
    library.keys.revoke(library.keys.all()[0].id)
    # Nobody takes its place.
    assert runs(second) == []


def test_what_one_key_asked_is_not_there_for_another_key_of_the_workspace(client: httpx.Client, bearer: Bearer) -> None:
    keys = [bearer(Role.EDITOR), bearer(Role.EDITOR), bearer(Role.ADMIN)]
    runs = [client.post("/v1/ask", json=ASKED, headers=key).json()["run_id"] for key in keys]
    for own, key in zip(runs, keys, strict=True):
        assert [row["id"] for row in client.get("/v1/runs", headers=key).json()["runs"]] == [own]
        assert [turn["run"] for turn in client.get("/v1/threads/monday", headers=key).json()["turns"]] == [own]
        for other in set(runs) - {own}:
            tries = [
                client.get(f"/v1/runs/{other}", headers=key),
                client.post(f"/v1/runs/{other}/resume", json={}, headers=key),
                client.post(f"/v1/runs/{other}/replay", json={}, headers=key),
                client.delete(f"/v1/runs/{other}", headers=key),
            ]
            assert {told(refused) for refused in tries} == {(404, "not_found")}
    assert client.delete("/v1/threads/monday", headers=keys[0]).status_code == 200
    assert client.get("/v1/threads/monday", headers=keys[1]).json()["length"] == 1


def test_keys_of_one_user_share_what_the_user_asked(client: httpx.Client, bearer: Bearer) -> None:
    first, second = bearer(user="carol"), bearer(user="carol")
    run = client.post("/v1/ask", json=ASKED, headers=first).json()["run_id"]
    assert client.get(f"/v1/runs/{run}", headers=second).status_code == 200


def test_what_a_key_without_a_user_brings_in_belongs_to_the_workspace(client: httpx.Client, bearer: Bearer) -> None:
    key, other = (bearer(Role.EDITOR, workspace="desk") for _ in range(2))
    file = [("files", ("note.md", "# Note\n\nThe Halden mill has three saws.\n"))]
    assert client.post("/v1/documents", files=file, headers=key).json()["files"][0]["outcome"] == "added"
    table = {"file": ("a.csv", "name,type,latitude,longitude\nMill,clinic,1,2\n")}
    assert client.post("/v1/facilities", files=table, headers=key).json()["imported"] == 1
    assert seen(client.get("/v1/documents", headers=other)) == {"note.md"}
    near = {"near": "1,2", "kind": "clinic"}
    assert "Mill" in client.post("/v1/facilities/search", json=near, headers=other).text
    assert client.delete("/v1/documents/note.md", headers=other).status_code == 200


def test_a_reader_forgets_nothing(client: httpx.Client, bearer: Bearer) -> None:
    reader, editor = bearer(user="dan"), bearer(Role.EDITOR, user="dan")
    run = client.post("/v1/ask", json=ASKED, headers=reader).json()["run_id"]
    for path in (f"/v1/runs/{run}", "/v1/threads/monday"):
        assert told(client.delete(path, headers=reader)) == (403, "forbidden")
        assert client.get(path, headers=reader).status_code == 200
    assert client.delete("/v1/threads/monday", headers=editor).status_code == 200


def test_each_role_may_do_what_those_before_it_may(client: httpx.Client, bearer: Bearer) -> None:
    allowed = {}
    for role in Role:
        key = bearer(role)
        statuses = [client.get(f"/v1/for/{wanted}", headers=key).status_code for wanted in Role]
        allowed[role] = statuses
    assert allowed == {"reader": [200, 403, 403], "editor": [200, 200, 403], "admin": [200, 200, 200]}


def test_a_key_of_one_user_takes_nothing_away_that_belongs_to_all(client: httpx.Client, bearer: Bearer) -> None:
    editor, admin = bearer(Role.EDITOR, user="bob"), bearer(Role.ADMIN, user="bob")
    for refused in (
        client.delete("/v1/documents/minutes.md", headers=editor),
        client.delete("/v1/workspaces/default", headers=admin),
    ):
        assert told(refused) == (403, "forbidden")
        assert refused.json()["detail"] == "This key is for user 'bob', and that belongs to the whole workspace."
    assert seen(client.get("/v1/documents", headers=editor)) == SHARED


def test_a_key_that_is_used_too_often_is_told_when_to_come_again(client: httpx.Client, bearer: Bearer) -> None:
    key, other = bearer(per_minute=3), bearer()
    statuses = [client.get("/v1/documents", headers=key).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    refused = client.get("/v1/documents", headers=key)
    assert told(refused) == (429, "rate_limited")
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert client.get("/v1/documents", headers=other).status_code == 200


def test_no_key_is_ever_logged(
    client: httpx.Client, bearer: Bearer, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    key = bearer(per_minute=1)
    for path in ("/v1/documents", "/v1/documents", "/v1/nowhere"):
        client.get(path, headers=key)
    client.get("/v1/documents", headers={"Authorization": f"{key['Authorization']}x"})
    secret = key["Authorization"].split("_", 2)[2]
    # The test's own client logs what it sends; the service may not.
    records = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert not any(secret in record.getMessage() for record in records)
    assert secret not in "".join(capfd.readouterr())


def test_no_page_of_another_site_is_let_in_even_to_ask_whether_it_may(client: httpx.Client, bearer: Bearer) -> None:
    asked = {"Origin": "https://papers.example", "Access-Control-Request-Method": "POST"}
    refused = client.options("/v1/search", headers=asked)
    assert told(refused) == (403, "foreign_origin")
    assert not any(name.startswith("access-control") for name in refused.headers)


ADA = Caller("w", "ada", Role.EDITOR, "k")


@pytest.mark.parametrize(
    ("caller", "asked", "scope"),
    [
        (LOCAL, Scoped(), Scope("default")),
        (LOCAL, Scoped(workspace="x", user="y"), Scope("x", "y")),
        (ADA, Scoped(), Scope("w", "ada")),
        (ADA, Scoped(user=None), Scope("w", "ada")),
        (ADA, Scoped(workspace="w", user="ada"), Scope("w", "ada")),
        (Caller("w", None, Role.ADMIN, "k"), Scoped(user="bob"), Scope("w", "bob")),
        (Caller("w", None, Role.ADMIN, "k"), Scoped(), Scope("w", "key-k")),
    ],
)
def test_the_scope_comes_from_the_caller(caller: Caller, asked: Scoped, scope: Scope) -> None:
    assert caller.scope(asked) == scope


def test_a_name_that_cannot_be_one_is_told_so_before_it_is_forbidden() -> None:
    with pytest.raises(InvalidScope):
        ADA.scope(Scoped(workspace="../etc"))
    with pytest.raises(Forbidden):
        ADA.scope(Scoped(workspace="etc"))
