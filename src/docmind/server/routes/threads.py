"""Threads: the conversations of a user, from their first word to their last, to be kept elsewhere or forgotten."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult
from docmind.memory.conversations import Thread
from docmind.memory.run import Run, RunState
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.labelling import Labelled
from docmind.server.routes.runs import Feedback, moment
from docmind.server.sharing import PAGE, Exporting, download, shared

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
