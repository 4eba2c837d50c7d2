"""For whoever watches over the service: is it alive, and can it answer?"""

import logging
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from docmind.domain.errors import DocMindError
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.deps import ToBackend
from docmind.server.errors import NOT_READY, RESPONSES, problem
from docmind.server.hosts import is_this_machine

router = APIRouter(tags=["health"])

_log = logging.getLogger(__name__)
_ANYWHERE = Scope("default")


class Alive(BaseModel):
    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    status: Literal["ready"] = "ready"


@router.get("/healthz")
async def healthz() -> Alive:
    """Whether the service is running."""
    return Alive()


@router.get("/readyz", response_model=Ready, responses=RESPONSES)
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
