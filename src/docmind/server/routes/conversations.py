"""Conversations as one list: threads, and questions that were asked by themselves."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from docmind.memory.conversations import Conversation
from docmind.runtime.engine import DocMind
from docmind.server.auth import Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.labelling import Labelled
from docmind.server.routes.runs import Reference, moment

router = APIRouter(prefix="/v1", tags=["conversations"], responses=RESPONSES)


class ConversationRow(BaseModel):
    """A thread, or a question that was asked by itself."""

    kind: Annotated[
        Literal["thread", "run"], Field(description="Where the rest of it is: below /v1/threads or below /v1/runs.")
    ]
    id: str
    workflow: Annotated[str, Field(examples=["chat"])]
    title: Annotated[str, Field(description="What it was renamed to, or its first question.")]
    pinned: bool
    started: Annotated[str, Field(examples=["2026-03-02T09:30:00.000+00:00"])]
    last_turn: str
    waiting: Annotated[str | None, Field(description="The run that asks the user something, if one does.")]
    length: Annotated[int, Field(description="How many questions it has.")]

    @classmethod
    def of(cls, found: Conversation) -> "ConversationRow":
        return cls(
            kind="thread" if found.is_thread else "run",
            id=found.id,
            workflow=found.workflow,
            title=found.title,
            pinned=found.pinned,
            started=moment(found.started),
            last_turn=moment(found.last_turn),
            waiting=found.waiting,
            length=found.length,
        )


class ConversationList(BaseModel):
    conversations: Annotated[
        list[ConversationRow], Field(description="The pinned ones first, then the one that was last spoken in.")
    ]
    total: Annotated[int, Field(description="How many there are, listed or not.")]


class Searched(Scoped):
    search: Annotated[
        Text, Field(description="Only those whose title and questions hold all of these words.", max_length=200)
    ] = ""
    limit: Annotated[int, Field(description="The most to list.", ge=1, le=1000)] = 50


@router.get("/conversations")
async def list_conversations(
    asked: Annotated[Searched, Query()], caller: Reader, backend: ToBackend
) -> ConversationList:
    """The conversations of the user, threads and single questions together."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> ConversationList:
        found = engine.conversations(scope, search=asked.search)
        rows = [ConversationRow.of(one) for one in found[: asked.limit]]
        return ConversationList(conversations=rows, total=len(found))

    return await backend.read(read)


@router.patch("/runs/{id}", tags=["runs"])
async def change_run(reference: Reference, asked: Labelled, caller: Reader, backend: ToBackend) -> ConversationRow:
    """Rename or pin a single question. Fields that are left out stay as they are."""
    scope, chosen = caller.scope(asked), asked.chosen()
    return ConversationRow.of(await backend.read(lambda engine: engine.label_run(reference, scope, **chosen)))
