"""What the service says of itself, and its workspaces."""

from pathlib import Path
from typing import Any

import httpx

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import Settings
from tests.stores import copied


def test_without_keys_the_caller_may_name_any_scope(service: httpx.Client) -> None:
    assert service.get("/v1/me").json() == {
        "workspace": None,
        "user": None,
        "role": "admin",
        "keys": False,
        "operates": True,
        "conversational": False,
        "limits": {"question_characters": 10_000, "files": 50, "file_mb": 50},
    }


def test_workflows_are_described_with_their_graphs(service: httpx.Client) -> None:
    told = {workflow["name"]: workflow for workflow in service.get("/v1/workflows").json()["workflows"]}
    assert list(told) == ["docs", "strategy", "finance", "chat", "chat-simple"]
    assert told["chat-simple"]["mode_of"] == "chat"
    for workflow in told.values():
        assert workflow["title"]
        assert workflow["description"].endswith(".")
        ids = {node["id"] for node in workflow["nodes"]}
        assert {"__start__", "__end__"} <= ids
        assert ids >= {end for edge in workflow["edges"] for end in (edge["source"], edge["target"])}
        assert workflow["most_steps"] > 0
    judged = {(edge["target"], edge["conditional"]) for edge in told["docs"]["edges"] if edge["source"] == "judge"}
    assert judged == {("output", True), ("retrieve", True)}
    retrieval = next(node for node in told["finance"]["nodes"] if node["id"] == "retrieval_agent:retrieval")
    assert (retrieval["label"], retrieval["group"]) == ("retrieval", "retrieval_agent")


def test_a_run_names_nodes_as_the_graph_labels_them(service: httpx.Client) -> None:
    workflows = service.get("/v1/workflows").json()["workflows"]
    labels = {workflow["name"]: {node["label"] for node in workflow["nodes"]} for workflow in workflows}
    for name in labels:
        asked = {"question": "What was approved?", "workflow": name, "user": "ines"}
        result = service.post("/v1/ask", json=asked).json()
        run = service.get(f"/v1/runs/{result['run_id']}", params={"user": "ines"}).json()
        assert {event["node"] for event in result["trace"]} <= labels[run["workflow"]]


def test_a_workspace_is_made_listed_and_taken_away_with_what_is_in_it(opened: Any, serving: Any) -> None:
    with serving(create_app(opened())) as client:
        made = client.post("/v1/workspaces", json={"name": "new"})
        assert (made.status_code, made.headers["location"]) == (201, "/v1/workspaces/new")
        names = [row["name"] for row in client.get("/v1/workspaces").json()["workspaces"]]
        assert names == ["default", "new"]
        assert client.post("/v1/workspaces", json={"name": "a b"}).json()["code"] == "invalid_scope"
        assert client.delete("/v1/workspaces/default").json()["documents"] == 1
        assert client.get("/v1/documents").json() == {"documents": []}
        assert client.delete("/v1/workspaces/default").status_code == 404


def test_a_key_sees_its_own_workspace_and_what_its_user_has_there(opened: Any, serving: Any) -> None:
    engine = opened()
    engine.run("What was approved?", Scope("default"))
    _, token = engine.keys.create(Role.ADMIN, workspace="default", user="alice")
    with serving(create_app(engine)) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        own = {"name": "default", "documents": 1, "passages": 2, "runs": 0}
        (row,) = client.get("/v1/workspaces").json()["workspaces"]
        assert row | {"passages": 2} == own
        assert client.delete("/v1/workspaces/other").json()["code"] == "forbidden"
        assert client.post("/v1/workspaces", json={"name": "other"}).json()["code"] == "forbidden"
        assert client.get("/v1/me").json()["user"] == "alice"


def test_a_model_that_cannot_be_opened_leaves_the_page_alive_and_is_told_to_whoever_asks(
    stock: Path, settings: Settings, serving: Any
) -> None:
    copied(stock, settings.home)
    models = settings.models.model_copy(update={"chat": "mistralai:small"})
    with (
        DocMind(settings.model_copy(update={"models": models})) as engine,
        serving(create_app(engine)) as client,
    ):
        for page in ("/", "/v1/me", "/v1/workflows", "/v1/models", "/v1/documents", "/v1/runs", "/v1/clarifications"):
            assert client.get(page).status_code == 200, page
        asked = client.post("/v1/ask", json={"question": "What was approved?"})
        assert asked.status_code == 502
        assert "pip install langchain-mistralai" in asked.json()["detail"]
