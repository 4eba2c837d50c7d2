"""Workspaces: which there are, one more, and one less with everything in it."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from docmind.runtime.engine import DocMind
from docmind.runtime.workspaces import Workspace
from docmind.server.auth import Admin, Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/workspaces", tags=["workspaces"], responses=RESPONSES)

Name = Annotated[str, Path(description="A workspace's name.", examples=["strategy"])]


class NewWorkspace(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "strategy"}]})

    name: Annotated[Text, Field(description="1 to 64 letters, digits, '.', '_', '@' or '-'.")]


class WorkspaceRow(BaseModel):
    """A workspace and how much is in it."""

    name: Annotated[str, Field(examples=["strategy"])]
    documents: int
    passages: int
    runs: int

    @classmethod
    def of(cls, workspace: Workspace) -> "WorkspaceRow":
        return cls(**asdict(workspace))


class WorkspaceList(BaseModel):
    workspaces: Annotated[list[WorkspaceRow], Field(description="By name.")]


@router.get("")
async def list_workspaces(caller: Reader, backend: ToBackend) -> WorkspaceList:
    """The workspaces that the caller may use, each with what they can see of it."""

    def read(engine: DocMind) -> WorkspaceList:
        found = [engine.workspace_of(caller.scope(Scoped()))] if caller.workspace else engine.workspaces()
        return WorkspaceList(workspaces=[WorkspaceRow.of(one) for one in found])

    return await backend.read(read)


@router.post("", status_code=201)
async def create_workspace(asked: NewWorkspace, caller: Admin, backend: ToBackend, response: Response) -> WorkspaceRow:
    """Create an empty workspace. If it exists already, it stays as it is."""
    name = caller.scope(Scoped(workspace=asked.name)).workspace
    response.headers["Location"] = f"/v1/workspaces/{name}"
    return WorkspaceRow.of(await backend.write(lambda engine: engine.create_workspace(name)))


@router.delete("/{name}")
async def delete_workspace(name: Name, caller: Admin, backend: ToBackend) -> WorkspaceRow:
    """Remove a workspace with all its documents, facilities, runs and threads, whoever owns them."""
    workspace = caller.scope(Scoped(workspace=name)).workspace
    caller.require_owning(None)
    return WorkspaceRow.of(await backend.write(lambda engine: engine.delete_workspace(workspace)))
