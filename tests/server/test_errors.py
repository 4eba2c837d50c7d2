import inspect
from typing import Any

import httpx
import pytest

from docmind.domain import errors
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.errors import KINDS, Problem

JSON = {"Content-Type": "application/json"}


def problem_of(answer: httpx.Response) -> Problem:
    assert answer.headers["content-type"] == "application/problem+json"
    assert list(answer.json()) == ["type", "title", "status", "detail", "code"]
    told = Problem(**answer.json())
    assert told.status == answer.status_code
    assert told.type == f"urn:docmind:problem:{told.code}"
    assert told.detail.endswith(".")
    return told


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        (b'{"query": "  "}', "invalid_query", "The question is empty."),
        (b'{"query": "x", "filters": {"date_from": "soon"}}', "invalid_query", "'soon' is not a date"),
        (b'{"query": "x", "workspace": "a/b"}', "invalid_scope", "'a/b' cannot be a workspace name"),
        (b'{"query": "x", "user": ""}', "invalid_scope", "'' cannot be a user name"),
        (b'{"limit": 3}', "invalid_request", "query: Field required."),
        (b'{"query": "x", "limit": 0}', "invalid_request", "limit: Input should be greater than or equal to 1."),
        (b'{"query": "x", "min_score": NaN}', "invalid_request", "min_score: "),
        (b'{"query": "x", "usr": "alice"}', "invalid_request", "usr: Extra inputs are not permitted."),
        (b'{"query": "x", "filters": {"yaer": [1]}}', "invalid_request", "filters.yaer: Extra inputs"),
        (b'{"query": "\\ud800"}', "invalid_request", "query: Half a character is not text."),
        (b'{"query": ', "invalid_request", "The body is not JSON: Expecting value at character 10."),
        (b'["query"]', "invalid_request", "The body is not a JSON object"),
        (b"", "invalid_request", "body: Field required."),
    ],
)
def test_a_search_that_cannot_be_is_refused_in_a_sentence(
    service: httpx.Client, body: bytes, code: str, detail: str
) -> None:
    told = problem_of(service.post("/v1/search", content=body, headers=JSON))
    assert (told.status, told.code) == (422, code)
    assert told.detail.startswith(detail)


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"query": "\xff"}', b'{"\\ud800": 1}'])
def test_hostile_bodies_are_the_clients_mistake(service: httpx.Client, body: bytes) -> None:
    assert problem_of(service.post("/v1/search", content=body, headers=JSON)).status in (400, 422)


def test_a_body_that_is_not_called_json_is_told_so(service: httpx.Client) -> None:
    told = problem_of(service.post("/v1/search", content=b'{"query": "x"}', headers={"Content-Type": "text/plain"}))
    assert "Content-Type is not application/json" in told.detail


def test_an_unknown_document_is_named(service: httpx.Client) -> None:
    told = problem_of(service.get("/v1/documents/nowhere.pdf"))
    assert (told.status, told.code) == (404, "not_found")
    assert told.detail == "There is no document 'nowhere.pdf' in workspace 'default'."


@pytest.mark.parametrize("path", ["/v1/nope", "/v1/documents/", "/v1/documents/%ff/%00"])
def test_an_unknown_route_says_where_the_known_ones_are(service: httpx.Client, path: str) -> None:
    told = problem_of(service.get(path))
    assert (told.status, told.code) == (404, "unknown_route")
    assert "/openapi.json" in told.detail


def test_a_method_that_a_route_does_not_have_is_answered_with_those_it_has(service: httpx.Client) -> None:
    answer = service.get("/v1/search")
    assert problem_of(answer).code == "method_not_allowed"
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_what_nobody_expected_shows_nothing_of_the_inside(engine: DocMind, serving: Any) -> None:
    app = create_app(engine)

    @app.get("/broken")
    async def broken() -> None:
        raise ZeroDivisionError("the secret")

    with serving(app) as client:
        answer = client.get("/broken")
    assert (problem_of(answer).code, answer.status_code) == ("internal_error", 500)
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert answer.headers["connection"] == "close"


def test_status_and_code_of_every_error_stay_as_they_are(engine: DocMind, serving: Any) -> None:
    app = create_app(engine)
    kinds: dict[str, type[errors.DocMindError]] = dict(inspect.getmembers(errors, inspect.isclass))

    @app.get("/raise/{name}")
    async def raising(name: str) -> None:
        raise kinds[name]("It is so.")

    with serving(app) as client:
        told = {name: problem_of(client.get(f"/raise/{name}")) for name in kinds}
    assert {problem.detail for problem in told.values()} == {"It is so."}
    assert {name: (problem.status, problem.code) for name, problem in told.items()} == {
        "BenchError": (500, "internal_error"),
        "BudgetExhausted": (503, "budget_exhausted"),
        "Busy": (503, "busy"),
        "DocMindError": (500, "internal_error"),
        "DuplicateDocument": (409, "duplicate_document"),
        "QuotaExceeded": (413, "quota_exceeded"),
        "EmbeddingError": (500, "embedding_failed"),
        "FileRejected": (422, "file_rejected"),
        "Forbidden": (403, "forbidden"),
        "InvalidQuery": (422, "invalid_query"),
        "InvalidScope": (422, "invalid_scope"),
        "ModelError": (502, "model_failed"),
        "NotFound": (404, "not_found"),
        "RateLimited": (429, "rate_limited"),
        "ReaderError": (500, "reader_failed"),
        "SettingsError": (500, "internal_error"),
        "InvalidSetting": (422, "invalid_setting"),
        "StoreError": (500, "store_failed"),
        "StoreLocked": (409, "store_locked"),
        "StoreMismatch": (500, "store_mismatch"),
        "StoreUnavailable": (503, "store_unavailable"),
        "Unauthorized": (401, "unauthorized"),
        "UnderWay": (409, "under_way"),
    }


def test_no_two_kinds_of_problem_share_a_code() -> None:
    codes = [kind.code for kind in KINDS.values()]
    assert len(codes) == len(set(codes))
