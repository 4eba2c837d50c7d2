from typing import Any

import httpx


def operations(service: httpx.Client) -> dict[str, dict[str, Any]]:
    paths = service.get("/openapi.json").json()["paths"]
    return {f"{method.upper()} {path}": told for path, methods in paths.items() for method, told in methods.items()}


def test_the_service_describes_what_can_be_asked_of_it(service: httpx.Client) -> None:
    assert {asked: told["operationId"] for asked, told in operations(service).items()} == {
        "GET /healthz": "healthz",
        "GET /readyz": "readyz",
        "GET /metrics": "metrics",
        "GET /v1/me": "me",
        "GET /v1/workflows": "list_workflows",
        "POST /v1/ask": "ask",
        "POST /v1/runs/{id}/resume": "resume_run",
        "GET /v1/clarifications": "list_clarifications",
        "GET /v1/runs": "list_runs",
        "GET /v1/runs/{id}": "show_run",
        "DELETE /v1/runs/{id}": "delete_run",
        "POST /v1/runs/{id}/replay": "replay_run",
        "GET /v1/threads": "list_threads",
        "GET /v1/threads/{id}": "show_thread",
        "GET /v1/threads/{id}/export": "export_thread",
        "DELETE /v1/threads/{id}": "delete_thread",
        "POST /v1/search": "search",
        "POST /v1/check": "check",
        "POST /v1/documents": "upload_documents",
        "GET /v1/documents": "list_documents",
        "GET /v1/documents/{id}": "show_document",
        "GET /v1/documents/{id}/text": "document_text",
        "GET /v1/documents/{id}/original": "document_original",
        "DELETE /v1/documents/{id}": "delete_document",
        "POST /v1/facilities": "import_facilities",
        "POST /v1/facilities/search": "search_facilities",
        "GET /v1/workspaces": "list_workspaces",
        "POST /v1/workspaces": "create_workspace",
        "DELETE /v1/workspaces/{name}": "delete_workspace",
        "GET /v1/models": "list_models",
        "POST /v1/chat/completions": "complete_chat",
        "PATCH /v1/runs/{id}": "change_run",
        "GET /v1/runs/{id}/export": "export_run",
        "PATCH /v1/threads/{id}": "change_thread",
        "GET /v1/conversations": "list_conversations",
        "GET /v1/feedback": "list_feedback",
        "PUT /v1/runs/{id}/feedback": "give_feedback",
        "DELETE /v1/runs/{id}/feedback": "remove_feedback",
        "POST /v1/documents/web": "add_web_page",
        "POST /v1/uploads": "queue_upload",
        "POST /v1/uploads/web": "queue_web_page",
        "GET /v1/uploads": "list_uploads",
        "GET /v1/uploads/{id}": "show_upload",
        "DELETE /v1/uploads/{id}": "cancel_upload",
        "POST /v1/examples": "add_examples",
        "GET /v1/documents/{id}/pages": "list_pages",
        "GET /v1/documents/{id}/pages/{number}.png": "draw_page",
        "GET /v1/documents/{id}/boxes": "find_boxes",
        "GET /v1/documents/{id}/layout": "show_layout",
        "GET /v1/documents/{id}/matches": "find_words",
        "GET /v1/suggestions": "list_suggestions",
        "POST /v1/suggestions/{id}": "take_suggestion",
        "GET /v1/settings": "read_settings",
        "GET /v1/reindex": "show_reindex",
        "POST /v1/reindex": "reindex",
        "PATCH /v1/settings": "change_settings",
        "POST /v1/settings/models": "list_offered",
        "POST /v1/settings/trial": "try_chat_model",
        "POST /v1/settings/embedder": "weigh_embedder",
        "GET /v1/keys": "list_keys",
        "POST /v1/keys": "create_key",
        "DELETE /v1/keys/{id}": "revoke_key",
    }


def test_nothing_that_is_sent_may_be_taken_for_another_type(service: httpx.Client) -> None:
    asked = {"question": "What did the board pay for the Halden mill?"}
    answers = [
        service.get("/v1/documents"),
        service.get("/v1/nowhere"),
        service.get("/healthz"),
        service.get("/"),
        service.get("/metrics"),
        service.post("/v1/ask", json=asked),
        service.post("/v1/ask", json=asked, headers={"Accept": "text/event-stream"}),
        service.post("/mcp", json={}),
        service.get("/v1/documents", headers={"Host": "papers.example"}),
    ]
    assert [answer.headers.get_list("x-content-type-options") for answer in answers] == [["nosniff"]] * len(answers)


def test_every_operation_that_can_fail_says_how_failures_look(service: httpx.Client) -> None:
    for asked, told in operations(service).items():
        if asked != "GET /healthz":
            assert list(told["responses"]["default"]["content"]) == ["application/problem+json"]
            assert "422" not in told["responses"]


def test_the_examples_of_a_search_are_searches(service: httpx.Client) -> None:
    examples = service.get("/openapi.json").json()["components"]["schemas"]["SearchRequest"]["examples"]
    assert examples
    for example in examples:
        assert service.post("/v1/search", json=example).json() == {"hits": []}


def test_every_route_shows_what_is_sent_and_what_comes_back(service: httpx.Client) -> None:
    described = service.get("/openapi.json").json()

    def has_example(part: Any, above: frozenset[str] = frozenset()) -> bool:
        if isinstance(part, list):
            return any(has_example(inner, above) for inner in part)
        if not isinstance(part, dict):
            return False
        name = str(part.get("$ref", "")).rpartition("/")[2]
        if name and name not in above:
            return has_example(described["components"]["schemas"][name], above | {name})
        return "example" in part or "examples" in part or any(has_example(inner, above) for inner in part.values())

    for asked, told in operations(service).items():
        if "/v1/" in asked and not asked.endswith(("/original", ".png")):
            answers = {status: answer for status, answer in told["responses"].items() if status != "default"}
            assert has_example(answers), asked
            assert "requestBody" not in told or has_example(told["requestBody"]), asked
