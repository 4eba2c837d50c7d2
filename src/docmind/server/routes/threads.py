"""Threads, and in one list with them the questions that were asked by themselves: to be renamed, kept or forgotten."""

from typing import Annotated, Any, Literal, TypedDict

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult
from docmind.memory.conversations import LONGEST_TITLE, Conversation, Thread
from docmind.memory.run import Run, RunState
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.runs import PAGE, Exporting, Feedback, Reference, download, moment, shared


class LabelChanges(TypedDict):
    title: str | None
    pinned: bool | None


class Labelled(Scoped):
    title: Annotated[
        Text | None,
        Field(
            description="Its new title; an empty one brings the first question back.",
            max_length=LONGEST_TITLE,
            examples=["Budget of Project Heron"],
        ),
    ] = None
    pinned: Annotated[bool | None, Field(description="Whether to keep it at the top of the list.")] = None

    def chosen(self) -> LabelChanges:
        return {"title": self.title, "pinned": self.pinned}


router = APIRouter(prefix="/v1/threads", tags=["threads"], responses=RESPONSES)

Name = Annotated[str, Path(alias="id", description="A thread's id, as it was given when asking.", examples=["monday"])]


class ThreadRow(BaseModel):
    """A conversation without what was said."""

    id: Annotated[str, Field(examples=["monday"])]
    workflow: Annotated[str, Field(examples=["chat"])]
    title: Annotated[str, Field(description="What it was renamed to, or its first question.")]
    pinned: Annotated[bool, Field(description="Whether it is kept at the top of the list.")]
    started: Annotated[str, Field(examples=["2026-03-02T09:30:00.000+00:00"])]
    last_turn: str
    waiting: Annotated[str | None, Field(description="The run that asks the user something, if one does.")]
    length: Annotated[int, Field(description="How many turns it has.")]

    @classmethod
    def of(cls, thread: Thread) -> "ThreadRow":
        return cls(**_told(thread))


class Turn(BaseModel):
    run: str
    question: str
    started: str
    state: RunState
    answers: Annotated[list[str], Field(description="What the user answered when asked back.")]
    result: RunResult | None
    feedback: Feedback | None

    @classmethod
    def of(cls, run: Run) -> "Turn":
        return cls(
            run=run.id,
            question=run.question,
            started=moment(run.started),
            state=run.state,
            answers=[answer.text for answer in run.answers],
            result=run.result,
            feedback=Feedback.of(run),
        )


class WholeThread(ThreadRow):
    turns: Annotated[list[Turn], Field(description="Oldest first.")]

    @classmethod
    def of(cls, thread: Thread) -> "WholeThread":
        return cls(**_told(thread), turns=[Turn.of(run) for run in thread.runs])


class ThreadList(BaseModel):
    threads: Annotated[
        list[ThreadRow], Field(description="The pinned ones first, then the one that was last spoken in.")
    ]


class ExportedThread(BaseModel):
    """A conversation in the form of the program's `threads export`."""

    thread: Annotated[str, Field(examples=["monday"])]
    title: str
    workflow: Annotated[str, Field(examples=["chat"])]
    workspace: str
    user: str | None
    turns: list[dict[str, Any]]


@router.get("")
async def list_threads(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> ThreadList:
    """The conversations of the user."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> ThreadList:
        return ThreadList(threads=[ThreadRow.of(thread) for thread in engine.threads(scope)])

    return await backend.read(read)


@router.get("/{id}", response_model=WholeThread)
async def show_thread(thread: Name, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> Response:
    """A conversation, every turn with its answer."""
    scope = caller.scope(asked)
    found = await backend.read(lambda engine: WholeThread.of(engine.find_thread(thread, scope)).model_dump_json())
    return Response(found, media_type="application/json")


@router.get("/{id}/export", response_model=ExportedThread, responses=PAGE)
async def export_thread(
    thread: Name, asked: Annotated[Exporting, Query()], caller: Reader, backend: ToBackend
) -> Response:
    """A whole conversation to keep elsewhere, as JSON or as a self-contained page of HTML."""
    scope = caller.scope(asked)
    if asked.format == "html":
        return shared(await backend.read(lambda engine: engine.share_thread(thread, scope)), "conversation")
    exported = await backend.read(lambda engine: engine.export_thread(thread, scope))
    return JSONResponse(exported, headers=download("thread.json"))


@router.patch("/{id}")
async def change_thread(thread: Name, asked: Labelled, caller: Reader, backend: ToBackend) -> ThreadRow:
    """Rename a conversation, or pin it to the top of the list. Fields that are left out stay as they are."""
    scope, chosen = caller.scope(asked), asked.chosen()
    return ThreadRow.of(await backend.read(lambda engine: engine.label_thread(thread, scope, **chosen)))


@router.delete("/{id}")
async def delete_thread(
    thread: Name, asked: Annotated[Scoped, Query()], caller: Editor, backend: ToBackend
) -> ThreadRow:
    """Delete a conversation: its runs, their records, and what was remembered of it."""
    scope = caller.scope(asked)
    return ThreadRow.of(await backend.write(lambda engine: engine.delete_thread(thread, scope)))


def _told(thread: Thread) -> dict[str, Any]:
    return {
        "id": thread.id,
        "workflow": thread.workflow,
        "title": thread.title,
        "pinned": thread.label.pinned,
        "started": moment(thread.started),
        "last_turn": moment(thread.last_turn),
        "waiting": thread.waiting.id if thread.waiting else None,
        "length": len(thread.runs),
    }


conversations = APIRouter(prefix="/v1", tags=["conversations"], responses=RESPONSES)


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


@conversations.get("/conversations")
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


@conversations.patch("/runs/{id}", tags=["runs"])
async def change_run(reference: Reference, asked: Labelled, caller: Reader, backend: ToBackend) -> ConversationRow:
    """Rename or pin a single question. Fields that are left out stay as they are."""
    scope, chosen = caller.scope(asked), asked.chosen()
    return ConversationRow.of(await backend.read(lambda engine: engine.label_run(reference, scope, **chosen)))
