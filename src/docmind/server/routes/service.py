"""The service about itself: who the caller is to it, what it takes on, and how it answers."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from docmind.domain.keys import Role
from docmind.runtime.description import WorkflowDescription
from docmind.server.auth import Reader
from docmind.server.deps import ToBackend
from docmind.server.errors import RESPONSES

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
