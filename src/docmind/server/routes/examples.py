"""The examples: one request fills a workspace of their own with them."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.examples import WORKSPACE
from docmind.server.auth import Admin
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.upload_queue import UploadRow, upload_rows

router = APIRouter(prefix="/v1/examples", tags=["examples"], responses=RESPONSES)


class Examples(BaseModel):
    """The workspace of the examples."""

    workspace: Annotated[str, Field(examples=["examples"])]
    upload: Annotated[UploadRow | None, Field(description="What is read for it; null where all of them are there.")]


@router.post("", status_code=202)
async def add_examples(caller: Admin, backend: ToBackend) -> Examples:
    """Fill the workspace `examples` with the documents that ship with DocMind, in the background; once is enough."""
    caller.scope(Scoped(workspace=WORKSPACE))
    caller.require_owning(None)

    def add(engine: DocMind) -> Examples:
        queued = engine.queue_examples()
        upload = upload_rows(engine, queued, Scope(WORKSPACE))[0] if queued else None
        return Examples(workspace=WORKSPACE, upload=upload)

    return await backend.write(add)
