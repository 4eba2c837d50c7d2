"""The service about itself: whether it is well, what it has counted, who the caller is to it, and what it takes on."""

import logging
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel, Field

from docmind.domain.errors import DocMindError
from docmind.domain.scope import Role, Scope
from docmind.runtime.bounds import WorkflowDescription
from docmind.runtime.engine import DocMind
from docmind.server.auth import Admin, Reader
from docmind.server.deps import ToBackend
from docmind.server.errors import NOT_READY, RESPONSES, problem
from docmind.server.hosts import is_this_machine
from docmind.server.metrics import Metrics

health = APIRouter(tags=["health"])

_log = logging.getLogger(__name__)
_ANYWHERE = Scope("default")


class Alive(BaseModel):
    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    status: Literal["ready"] = "ready"


@health.get("/healthz")
async def healthz() -> Alive:
    """Whether the service is running."""
    return Alive()


@health.get("/readyz", response_model=Ready, responses=RESPONSES)
async def readyz(request: Request, backend: ToBackend) -> Ready | Response:
    """Whether searches can be answered: 200, or 503 with the reason."""
    try:
        await backend.read(require_ready)
    except DocMindError as error:
        if request.client is not None and is_this_machine(request.client.host):
            return problem(NOT_READY, str(error))
        # Anybody may ask this, and the reason tells where the stores are.
        _log.error("Not ready: %s", error)
        return problem(NOT_READY, "The stores do not answer; the service's log says why.")
    except Exception:  # noqa: BLE001 - the edge: whatever is wrong with the store, it is not ready
        _log.exception("The store could not be asked.")
        return problem(NOT_READY, "The store could not be asked; the service's log says why.")
    return Ready()


def require_ready(engine: DocMind) -> None:
    """Open the catalogue and the index where they are not yet, and have both answer something."""
    engine.catalogue.count(_ANYWHERE)
    engine.index.count(_ANYWHERE.workspace)


counts = APIRouter(tags=["health"], responses=RESPONSES)


async def _counted(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


@counts.get("/metrics", response_class=PlainTextResponse)
def metrics(_caller: Admin, counted: Annotated[Metrics, Depends(_counted)]) -> Response:
    """Requests, runs and model calls so far: for an admin's key, or for this machine."""
    return Response(counted.page(), media_type=CONTENT_TYPE_LATEST)


router = APIRouter(prefix="/v1", tags=["service"], responses=RESPONSES)


class TakenOn(BaseModel):
    question_characters: Annotated[int, Field(description="The longest question.", examples=[10_000])]
    files: Annotated[int, Field(description="The most files of one upload.", examples=[50])]
    file_mb: Annotated[int, Field(description="The largest of them.", examples=[50])]


class Me(BaseModel):
    """Who the caller is to the service."""

    workspace: Annotated[str | None, Field(description="The one workspace they reach; any where there is none.")]
    user: str | None
    role: Role
    keys: Annotated[bool, Field(description="Whether the service asks for keys.")]
    operates: Annotated[bool, Field(description="Whether they may change the service's settings and keys.")]
    conversational: Annotated[bool, Field(description="Whether the chat workflow remembers unless told otherwise.")]
    limits: TakenOn


class WorkflowList(BaseModel):
    workflows: list[WorkflowDescription]


@router.get("/me")
async def me(caller: Reader, backend: ToBackend) -> Me:
    """What the caller may do, and the limits of the service."""
    limits = backend.limits
    return Me(
        workspace=caller.workspace,
        user=caller.user,
        role=caller.role,
        keys=caller.key is not None,
        operates=caller.operates,
        conversational=backend.engine.settings.conversational_mode,
        limits=TakenOn(question_characters=limits.question_characters, files=limits.files, file_mb=limits.file_mb),
    )


@router.get("/workflows")
async def list_workflows(_caller: Reader, backend: ToBackend) -> WorkflowList:
    """The workflows, each with its graph and the most that a run of it can take."""
    return WorkflowList(workflows=await backend.read(lambda engine: engine.workflows()))
