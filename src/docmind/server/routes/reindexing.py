"""Reindexing: embed what is stored again by the embedder that is set, in the background, and see how far it is."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from docmind.runtime.engine import DocMind
from docmind.runtime.reindexing import WorkspaceVectors
from docmind.server.auth import Operator
from docmind.server.deps import Text, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/reindex", tags=["settings"], responses=RESPONSES)


class ReindexAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"workspace": "strategy"}]})

    workspace: Annotated[Text | None, Field(description="Only this one; all of them where none is named.")] = None


class VectorsRow(BaseModel):
    """By which embedder's vectors a workspace is searched."""

    workspace: Annotated[str, Field(examples=["strategy"])]
    embedder: Annotated[str, Field(examples=["minilm"])]
    passages: int
    is_current: Annotated[bool, Field(description="Whether that is the embedder that is set, with its weights of now.")]
    done: Annotated[
        int | None, Field(description="While it is reindexed, how many passages of the new index are written.")
    ]


class Reindex(BaseModel):
    workspaces: list[VectorsRow]


@router.post("", status_code=202)
async def reindex(asked: ReindexAsked, _caller: Operator, backend: ToBackend) -> Reindex:
    """Embed everything again with the current embedder, in the background; searches use the old index meanwhile.

    No file is read. It survives a restart of the service. Setting the former embedder and asking again gives it up.
    """
    return _told(await backend.write(lambda engine: engine.request_reindex(asked.workspace)))


@router.get("")
async def show_reindex(_caller: Operator, backend: ToBackend) -> Reindex:
    """The embedder that each workspace is searched with, and how far its reindex is."""
    return _told(await backend.read(DocMind.vectors))


def _told(vectors: list[WorkspaceVectors]) -> Reindex:
    return Reindex(workspaces=[VectorsRow(**asdict(one)) for one in vectors])
