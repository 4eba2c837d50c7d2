from typing import Any

import httpx


def operations(service: httpx.Client) -> dict[str, dict[str, Any]]:
    paths = service.get("/openapi.json").json()["paths"]
    return {f"{method.upper()} {path}": told for path, methods in paths.items() for method, told in methods.items()}


def test_the_service_describes_what_can_be_asked_of_it(service: httpx.Client) -> None:
    assert {asked: told["operationId"] for asked, told in operations(service).items()} == {
        "GET /healthz": "healthz",
        "GET /readyz": "readyz",
        "POST /v1/search": "search",
        "GET /v1/documents": "list_documents",
        "GET /v1/documents/{id}": "show_document",
        "GET /v1/documents/{id}/text": "document_text",
    }


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
