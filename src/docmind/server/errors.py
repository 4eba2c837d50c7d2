"""Whatever goes wrong, in one form: `application/problem+json` with a status, a sentence and a code that stays."""

import logging
import math
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from docmind.domain import errors
from docmind.server.deps import ClientGone
from docmind.server.metrics import route_of

MEDIA_TYPE = "application/problem+json"

_log = logging.getLogger(__name__)
_LONGEST_PATH = 200


class Problem(BaseModel):
    """What went wrong."""

    type: Annotated[str, Field(examples=["urn:docmind:problem:not_found"])]
    title: Annotated[str, Field(description="The kind of problem.", examples=["Not found"])]
    status: Annotated[int, Field(examples=[404])]
    detail: Annotated[str, Field(description="This very problem, in a sentence.")]
    code: Annotated[str, Field(description="The kind of problem, for programs.", examples=["not_found"])]


class Kind(NamedTuple):
    """A kind of problem. Clients rely on `status` and `code`: neither changes."""

    status: int
    code: str
    title: str


UNEXPECTED = Kind(500, "internal_error", "Something unexpected went wrong")
INVALID_REQUEST = Kind(422, "invalid_request", "The request is not valid")
UNKNOWN_ROUTE = Kind(404, "unknown_route", "Unknown address")
BODY_TOO_LARGE = Kind(413, "body_too_large", "The body of the request is too large")
FOREIGN_ORIGIN = Kind(403, "foreign_origin", "The request comes from another site's page")
FOREIGN_HOST = Kind(421, "foreign_host", "The request is meant for another host")
HIDDEN = "Something unexpected went wrong; the service's log says what."
NOT_READY = Kind(503, "not_ready", "The service cannot answer now")

KINDS: dict[type[errors.DocMindError], Kind] = {
    errors.Unauthorized: Kind(401, "unauthorized", "A key is needed"),
    errors.Forbidden: Kind(403, "forbidden", "The key does not allow that"),
    errors.RateLimited: Kind(429, "rate_limited", "Too many requests"),
    errors.QuotaExceeded: Kind(413, "quota_exceeded", "The workspace is full"),
    errors.DuplicateDocument: Kind(409, "duplicate_document", "These files are already there"),
    errors.UnderWay: Kind(409, "under_way", "Already in progress"),
    errors.Busy: Kind(503, "busy", "The service is busy"),
    errors.FileRejected: Kind(422, "file_rejected", "The file cannot be read"),
    errors.NotFound: Kind(404, "not_found", "Not found"),
    errors.InvalidQuery: Kind(422, "invalid_query", "The question or text cannot be used"),
    errors.InvalidSetting: Kind(422, "invalid_setting", "The setting cannot be changed to this"),
    errors.InvalidScope: Kind(422, "invalid_scope", "The name of the workspace or user is not valid"),
    errors.EmbeddingError: Kind(500, "embedding_failed", "The embedder failed"),
    errors.ReaderError: Kind(500, "reader_failed", "The reader failed"),
    errors.ModelError: Kind(502, "model_failed", "The chat model failed"),
    errors.BudgetExhausted: Kind(503, "budget_exhausted", "The run has reached its limit"),
    errors.StoreLocked: Kind(409, "store_locked", "Another process is using the store"),
    errors.StoreUnavailable: Kind(503, "store_unavailable", "The store does not answer"),
    errors.StoreMismatch: Kind(500, "store_mismatch", "The store was made by another embedder or version"),
    errors.StoreError: Kind(500, "store_failed", "The store failed"),
    errors.DocMindError: UNEXPECTED,
}
_BY_STATUS = {kind.status: kind for kind in (INVALID_REQUEST, UNKNOWN_ROUTE, BODY_TOO_LARGE)}

RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {"description": "What went wrong.", "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}}}
}
"""For a router's `responses`: how its problems look."""


def problem(kind: Kind, detail: str, headers: dict[str, str] | None = None) -> Response:
    return Response(told(kind, detail).model_dump_json(), kind.status, headers, MEDIA_TYPE)


def told(kind: Kind, detail: str) -> Problem:
    # A client may send what is not text, and a sentence may quote it.
    detail = detail.encode("utf-8", "replace").decode()
    urn = f"urn:docmind:problem:{kind.code}"
    return Problem(type=urn, title=kind.title, status=kind.status, detail=detail, code=kind.code)


def problem_of(error: errors.DocMindError) -> Response:
    kind = kind_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, errors.Unauthorized) else {}
    if error.wait_s > 0:
        headers["Retry-After"] = str(math.ceil(error.wait_s))
    return problem(kind, str(error), headers)


def kind_of(error: errors.DocMindError) -> Kind:
    return next(KINDS[family] for family in type(error).__mro__ if family in KINDS)


def install(app: FastAPI) -> None:
    app.exception_handler(errors.DocMindError)(_ours)
    app.exception_handler(RequestValidationError)(_invalid)
    app.exception_handler(HTTPException)(_http)
    app.exception_handler(ClientGone)(_gone)
    app.exception_handler(Exception)(_unexpected)


async def _ours(request: Request, error: errors.DocMindError) -> Response:
    if kind_of(error).status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, errors.Busy):
        # By the route's pattern: the path itself names documents and threads, and may hold line ends.
        _log.error("%s %s: %s", request.method, route_of(request.scope), error)
    return problem_of(error)


async def _invalid(_request: Request, error: RequestValidationError) -> Response:
    return problem(INVALID_REQUEST, " ".join(_sentence(wrong) for wrong in error.errors()))


async def _http(request: Request, error: HTTPException) -> Response:
    status = HTTPStatus(error.status_code)
    kind = _BY_STATUS.get(status) or Kind(status, status.phrase.lower().replace(" ", "_"), status.phrase)
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
        asked = f"{request.method} {request.url.path[:_LONGEST_PATH]}"
        return problem(kind, f"There is no {asked}; GET /openapi.json lists what there is.", _headers(error))
    return problem(kind, f"{error.detail.removesuffix('.')}.", _headers(error))


async def _gone(_request: Request, _error: ClientGone) -> Response:
    # Nobody reads it; the server wants an answer all the same.
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _unexpected(_request: Request, _error: Exception) -> Response:
    # The server logs the traceback; nobody else is to see it. It closes the connection too, which a client that is not
    # told would go on to use.
    return problem(UNEXPECTED, HIDDEN, {"Connection": "close"})


def _headers(error: HTTPException) -> dict[str, str] | None:
    return dict(error.headers) if error.headers else None


def _sentence(wrong: dict[str, Any]) -> str:
    """One thing that is wrong with a request, as `field: what is wrong.`"""
    part, *path = wrong["loc"]
    if wrong["type"] == "json_invalid":
        return f"The body is not JSON: {wrong['ctx']['error']} at character {path[0]}."
    if not path and wrong["type"] != "missing":
        return "The body is not a JSON object, or its Content-Type is not application/json."
    return f"{'.'.join(map(str, path)) or part}: {wrong['msg']}."
