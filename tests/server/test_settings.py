"""The settings of the service over HTTP: who may see and change them, what a change does, and that no key gets out."""

import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from docmind.domain.scope import Role, Scope
from docmind.runtime.configuration import own_file
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from tests.openai_server import Handler, Server, served
from tests.stores import copied

SECRET = "sk-swordfish-41"
CAPITAL = json.dumps({"city": "Paris"})
QUESTION = {"question": "What did the board pay for the Halden mill?"}


@pytest.fixture
def engine(stock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DocMind]:
    """An installation as an earlier version left it, with the settings of the machine."""
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(copied(stock, tmp_path / "data")))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    with DocMind() as opened:
        yield opened


@pytest.fixture
def client(engine: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine)) as opened:
        yield opened


@pytest.fixture
def offering(chat_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A server that lists two models to whoever shows the key, and answers what it is asked."""

    def do_get(handler: Handler) -> None:
        let_in = handler.headers.get("Authorization") == f"Bearer {SECRET}"
        rows = {"data": [{"id": "small"}, {"id": "large"}]}
        handler.send(200 if let_in else 401, json.dumps(rows if let_in else {}).encode())

    monkeypatch.setattr(Handler, "do_GET", do_get, raising=False)
    chat_server.play(chat_server.says("ready"), chat_server.says(CAPITAL))
    return chat_server


def change(client: httpx.Client, **changes: Any) -> httpx.Response:
    return client.patch("/v1/settings", json={"changes": {name.replace("__", "."): to for name, to in changes.items()}})


def row(client: httpx.Client, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        row for row in client.get("/v1/settings").json()["settings"] if row["name"] == name.replace("__", ".")
    )
    return found


def test_a_setting_is_shown_with_where_it_comes_from_and_changed_for_the_next_question(client: httpx.Client) -> None:
    assert (row(client, "answers__most_wrong")["origin"], row(client, "answers__most_wrong")["value"]) == (
        "default",
        None,
    )
    changed = change(client, answers__most_wrong=0.0, server__files=7).json()
    assert sorted(changed["at_once"]) == ["answers.most_wrong", "server.files"]
    assert row(client, "answers__most_wrong")["origin"] == "~/.docmind/.env"
    assert client.post("/v1/ask", json=QUESTION).json()["withheld"] is not None
    assert client.get("/v1/me").json()["limits"]["files"] == 7
    change(client, answers__most_wrong=None)
    assert client.post("/v1/ask", json=QUESTION).json()["withheld"] is None


def test_a_model_is_listed_tried_chosen_and_writes_the_next_answer(client: httpx.Client, offering: Server) -> None:
    asked = {"provider": offering.url, "api_key": SECRET}
    assert client.post("/v1/settings/models", json=asked).json()["models"] == [
        f"{offering.url}#small",
        f"{offering.url}#large",
    ]
    tried = client.post("/v1/settings/trial", json={"model": f"{offering.url}#small", "api_key": SECRET}).json()
    assert (tried["works"], tried["keeps_shape"]) == (True, True)
    assert "tokens a second, replies with the JSON that was asked for." in tried["told"]
    assert change(client, models__chat=f"{offering.url}#small", models__chat_api_key=SECRET).status_code == 200
    assert (row(client, "models__chat_api_key")["is_set"], row(client, "models__chat_api_key")["value"]) == (True, None)
    assert client.post("/v1/ask", json=QUESTION).json()["usage"]["model_calls"] > 0
    # The stored key is shown to the server that it was given for.
    assert client.post("/v1/settings/models", json={"provider": offering.url}).json()["problem"] is None
    change(client, models__chat_api_key=None)
    assert not row(client, "models__chat_api_key")["is_set"]
    assert "401" in client.post("/v1/settings/models", json={"provider": offering.url}).json()["problem"]


def test_a_model_that_fails_a_trial_is_told_in_words_and_nothing_is_changed(
    client: httpx.Client, chat_server: Server
) -> None:
    chat_server.play(chat_server.fails(401, f"{SECRET} is no key of ours"))
    tried = client.post("/v1/settings/trial", json={"model": chat_server.url, "api_key": SECRET}).json()
    assert not tried["works"]
    assert "******** is no key of ours" in tried["told"]
    chat_server.play(chat_server.says("ready"), chat_server.says("Paris, of course!"))
    assert (
        "does not reply with valid JSON, so steps that need it run without the model"
        in client.post("/v1/settings/trial", json={"model": chat_server.url, "role": "judge"}).json()["told"]
    )
    assert row(client, "models__chat")["value"] is None


def test_a_stored_key_is_shown_to_no_other_server(client: httpx.Client, offering: Server) -> None:
    change(client, models__chat=offering.url, models__chat_api_key=SECRET)
    heard: list[str] = []
    with served() as other:

        def turn(handler: Handler) -> None:
            heard.append(str(handler.headers))
            other.fails(401)(handler)

        other.play(turn)
        for _ in range(2):
            client.post("/v1/settings/trial", json={"model": other.url})
            client.post("/v1/settings/models", json={"provider": other.url})
            assert change(client, models__chat=other.url).status_code == 200
    assert heard
    assert not any(SECRET in headers for headers in heard)
    assert SECRET not in own_file().read_text()


def test_no_key_gets_into_an_answer_a_record_or_a_log(
    client: httpx.Client,
    engine: DocMind,
    chat_server: Server,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(logging.DEBUG)
    chat_server.play(chat_server.fails(403, f"{SECRET} may not"))
    answers = [
        change(client, models__chat=chat_server.url, models__chat_api_key=SECRET),
        change(client, models__chat_api_key=f"{SECRET}\n"),
        change(client, models__chat_price=SECRET, models__chat_api_key=SECRET),
        client.get("/v1/settings"),
        client.post("/v1/settings/trial", json={"model": chat_server.url, "api_key": SECRET}),
        client.post("/v1/settings/trial", json={"model": chat_server.url}),
        client.post("/v1/settings/models", json={"provider": chat_server.url, "api_key": f"{SECRET} é"}),
        client.post("/v1/ask", json=QUESTION),
    ]
    assert chat_server.requests
    assert not [answer.text for answer in answers if SECRET in answer.text]
    run = engine.runs(Scope("default"))[0]
    assert SECRET not in repr(run)
    # The test's own client logs what it sends, and the test's server what it says; the service may not.
    records = [record for record in caplog.records if not record.name.startswith(("httpx", "httpcore"))]
    assert not [record for record in records if record.name.startswith("docmind") and SECRET in record.getMessage()]
    assert SECRET not in "".join(capfd.readouterr())
    assert f"{own_file().stat().st_mode & 0o777:o}" == "600"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"answers__most_wrong": 7}, "DOCMIND_ANSWERS__MOST_WRONG is not valid"),
        ({"data_dir": "/elsewhere"}, "it is set on the machine itself"),
        ({"models__embedder": "minilm"}, "which takes precedence"),
        ({"models__chat": "http://x/${HOME}"}, "cannot have this value"),
        ({"models__chat": "mistralai:x"}, "needs its provider's package"),
        ({"nothing": 1}, "nothing is not a setting of DocMind"),
    ],
)
def test_a_wrong_change_is_told_in_a_sentence(client: httpx.Client, changes: dict[str, Any], said: str) -> None:
    refused = change(client, **changes)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_setting")
    assert said in refused.json()["detail"]


def test_what_the_environment_says_is_shown_as_fixed(client: httpx.Client) -> None:
    embedder = row(client, "models__embedder")
    assert (embedder["origin"], embedder["fixed"], embedder["value"]) == ("environment", True, "static")
    names = {row["name"] for row in client.get("/v1/settings").json()["settings"]}
    assert not names & {"data_dir", "database.url", "index.url", "server.hosts", "ingest.ray"}


def test_changes_at_once_lose_nothing(client: httpx.Client, engine: DocMind) -> None:
    names = ["server__files", "server__waiting", "docs__sections", "chat__passages", "models__attempts"]
    with ThreadPoolExecutor(5) as several:
        done = list(several.map(lambda name: change(client, **{name: 6}).status_code, names))
    assert done == [200] * 5
    assert {row(client, name)["value"] for name in names} == {6}


def test_what_another_embedder_would_cost_is_measured_here(client: httpx.Client) -> None:
    cost = client.post("/v1/settings/embedder", json={"embedder": "minilm"}).json()
    assert (cost["now"], cost["passages"] > 0, cost["sent_away"]) == ("static", True, False)
    assert cost["seconds"] > 0
    elsewhere = client.post("/v1/settings/embedder", json={"embedder": "openai:text-embedding-3-small"}).json()
    assert (elsewhere["seconds"], elsewhere["sent_away"]) == (None, True)
    assert client.post("/v1/settings/embedder", json={"embedder": "bert"}).json()["code"] == "invalid_query"


OPERATIONS = [
    ("GET", "/v1/settings", None),
    ("PATCH", "/v1/settings", {"changes": {"server.files": 7}}),
    ("POST", "/v1/settings/models", {"provider": "ollama"}),
    ("POST", "/v1/settings/trial", {"model": "ollama:x"}),
    ("POST", "/v1/settings/embedder", {"embedder": "minilm"}),
    ("POST", "/v1/reindex", {}),
    ("GET", "/v1/reindex", None),
    ("GET", "/v1/keys", None),
    ("POST", "/v1/keys", {"role": "admin"}),
    ("DELETE", "/v1/keys/abc", None),
]


@pytest.mark.parametrize(("method", "path", "body"), OPERATIONS)
def test_only_an_admins_key_for_every_workspace_reaches_settings_and_keys(
    client: httpx.Client, engine: DocMind, method: str, path: str, body: dict[str, Any] | None
) -> None:
    others = [
        {"role": Role.READER, "workspace": "default"},
        {"role": Role.EDITOR, "workspace": "default", "user": "ada"},
        {"role": Role.ADMIN, "workspace": "default"},
        {"role": Role.ADMIN, "workspace": "default", "user": "ada"},
    ]
    for scope in others:
        _, token = engine.keys.create(scope.pop("role"), **scope)  # type: ignore[arg-type]
        headers = {"Authorization": f"Bearer {token}"}
        refused = client.request(method, path, json=body, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert client.get("/v1/me", headers=headers).json()["operates"] is False
    assert client.request(method, path, json=body).status_code == 401
    assert not own_file().exists()
    _, token = engine.keys.create(Role.ADMIN, workspace=None)
    allowed = client.request(method, path, json=body, headers={"Authorization": f"Bearer {token}"})
    assert allowed.status_code in (200, 201, 202, 404)


def test_settings_that_a_program_gave_are_shown_and_not_changed(service: httpx.Client) -> None:
    assert {row["origin"] for row in service.get("/v1/settings").json()["settings"]} == {"program"}
    refused = change(service, server__files=7)
    assert refused.json()["code"] == "invalid_setting"
    assert "The program that started the service gave its settings" in refused.json()["detail"]


def test_keys_are_made_listed_and_revoked_as_by_the_command(client: httpx.Client, engine: DocMind) -> None:
    assert client.get("/v1/keys").json() == {"keys": []}
    first = client.post("/v1/keys", json={"role": "admin"}).json()
    admin = {"Authorization": f"Bearer {first['key']}"}
    made = client.post(
        "/v1/keys", json={"role": "editor", "workspace": "default", "user": "ada", "rate": 60}, headers=admin
    )
    assert made.status_code == 201
    token = made.json().pop("key")
    ada = {"Authorization": f"Bearer {token}"}
    assert client.get("/v1/me", headers=ada).json()["user"] == "ada"
    listed = client.get("/v1/keys", headers=admin)
    assert [(key["role"], key["user"], key["rate"], key["own"]) for key in listed.json()["keys"]] == [
        ("admin", None, None, True),
        ("editor", "ada", 60, False),
    ]
    assert token.split("_", 2)[2] not in listed.text
    assert [key.id for key in engine.keys.all()] == [first["id"], made.json()["id"]]
    assert client.delete(f"/v1/keys/{made.json()['id']}", headers=admin).json()["revoked"]
    assert client.get("/v1/me", headers=ada).status_code == 401


def test_a_key_that_cannot_be_is_refused_and_nobody_locks_themselves_out(client: httpx.Client) -> None:
    refused = client.post("/v1/keys", json={"role": "reader"})
    assert refused.json()["code"] == "invalid_scope"
    assert client.get("/v1/keys").json() == {"keys": []}
    made = client.post("/v1/keys", json={"role": "admin"}).json()
    admin = {"Authorization": f"Bearer {made['key']}"}
    assert client.delete(f"/v1/keys/{made['id']}", headers=admin).json()["code"] == "invalid_query"
    assert client.delete("/v1/keys/nothing", headers=admin).json()["code"] == "not_found"
    assert client.get("/v1/keys", headers=admin).status_code == 200
