"""Runs: what was asked, how it ended, the whole answer with its trace, and the same run again from its records."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult, Status
from docmind.memory.run import Run, RunState
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.sharing import PAGE, Exporting, download, shared

if TYPE_CHECKING:
    from docmind.runtime.replay import Difference

router = APIRouter(prefix="/v1/runs", tags=["runs"], responses=RESPONSES)

Reference = Annotated[str, Path(alias="id", description="A run's id, or the start of it.", examples=["7c9e66a0"])]


class RunRow(BaseModel):
    """A run without what it gave."""

    id: str
    workflow: Annotated[str, Field(examples=["docs"])]
    question: Annotated[str, Field(examples=["When does production in Ostrava start?"])]
    state: Annotated[RunState, Field(description="`running` also where its process was killed.")]
    status: Annotated[Status | None, Field(description="How it answered, where it did.")]
    started: Annotated[str, Field(examples=["2026-03-02T09:30:00.000+00:00"])]
    ended: str | None
    thread: str | None
    seconds: float | None
    model_calls: int | None

    @classmethod
    def of(cls, run: Run) -> "RunRow":
        return cls(**_told(run))


class Feedback(BaseModel):
    """What the person who asked made of the answer."""

    right: Annotated[bool, Field(description="Whether they call the answer right.")]
    comment: Annotated[str, Field(examples=["The budget is the one of 2025."])]
    given: Annotated[str, Field(examples=["2026-03-02T09:31:00.000+00:00"])]

    @classmethod
    def of(cls, run: Run) -> "Feedback | None":
        given = run.feedback
        return cls(right=given.right, comment=given.comment, given=moment(given.given)) if given else None


class WholeRun(RunRow):
    reason: Annotated[str, Field(description="Why it was stopped.")]
    answers: Annotated[list[str], Field(description="What the user answered when asked back.")]
    result: RunResult | None
    feedback: Feedback | None

    @classmethod
    def of(cls, run: Run) -> "WholeRun":
        answers = [answer.text for answer in run.answers]
        return cls(**_told(run), reason=run.reason, answers=answers, result=run.result, feedback=Feedback.of(run))


class ExportedRun(BaseModel):
    """A question with its answer, in the form of the program's `runs export`."""

    run_id: str
    question: str
    workflow: Annotated[str, Field(examples=["docs"])]
    workspace: str
    user: str | None
    thread: str | None
    started: Annotated[float, Field(description="Seconds since 1970.")]
    state: RunState
    clarifications: Annotated[list[str], Field(description="What the user answered when asked back.")]
    result: dict[str, Any] | None
    feedback: dict[str, Any] | None


class RunList(BaseModel):
    runs: Annotated[list[RunRow], Field(description="Newest first.")]


class Latest(Scoped):
    limit: Annotated[int, Field(description="The most runs to list.", ge=1, le=1000)] = 50


class ReplayReport(BaseModel):
    """A run again from its records alone."""

    equal: Annotated[bool, Field(description="Whether the result is the same to the byte.", examples=[True])]
    model_calls: Literal[0] = 0
    differences: Annotated[list[str], Field(description="Where it first went another way.", examples=[[]])]


@router.get("", response_model=RunList)
async def list_runs(asked: Annotated[Latest, Query()], caller: Reader, backend: ToBackend) -> Response:
    """The latest runs of the user."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> str:
        return RunList(runs=[RunRow.of(run) for run in engine.runs(scope, limit=asked.limit)]).model_dump_json()

    return Response(await backend.read(read), media_type="application/json")


@router.get("/{id}", response_model=WholeRun)
async def show_run(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> Response:
    """A run with its answer and the path it took."""
    scope = caller.scope(asked)
    found = await backend.read(lambda engine: WholeRun.of(engine.find_run(reference, scope)).model_dump_json())
    return Response(found, media_type="application/json")


@router.get("/{id}/export", response_model=ExportedRun, responses=PAGE)
async def export_run(
    reference: Reference, asked: Annotated[Exporting, Query()], caller: Reader, backend: ToBackend
) -> Response:
    """A question with its answer, sources and checks, as JSON or as a self-contained page of HTML."""
    scope = caller.scope(asked)
    if asked.format == "html":
        return shared(await backend.read(lambda engine: engine.share_run(reference, scope)), "answer")
    exported = await backend.read(lambda engine: engine.export_run(reference, scope))
    return JSONResponse(exported, headers=download("answer.json"))


@router.delete("/{id}")
async def delete_run(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Editor, backend: ToBackend
) -> RunRow:
    """Delete a run and everything that was recorded for it, including passages of documents."""
    scope = caller.scope(asked)
    return RunRow.of(await backend.write(lambda engine: engine.delete_run(reference, scope)))


@router.post("/{id}/replay")
async def replay_run(reference: Reference, asked: Scoped, caller: Reader, backend: ToBackend) -> ReplayReport:
    """Repeat a run from its records, without a model or a search, and compare."""
    replayed = await backend.engine.areplay(reference, caller.scope(asked))
    difference = replayed.difference
    return ReplayReport(equal=difference is None, differences=[_sentence(difference)] if difference else [])


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def _told(run: Run) -> dict[str, Any]:
    usage = run.result.usage if run.result else None
    return {
        "id": run.id,
        "workflow": run.workflow,
        "question": run.question,
        "state": run.state,
        "status": run.result.status if run.result else None,
        "started": moment(run.started),
        "ended": moment(run.ended) if run.ended is not None else None,
        "thread": run.thread,
        "seconds": usage.seconds if usage else None,
        "model_calls": usage.model_calls if usage else None,
    }


def _sentence(difference: "Difference") -> str:
    if not difference.what:
        return f"It goes another way in {difference.node}: {difference.now}"
    return f"In {difference.node}, {difference.what} was {difference.was} and is now {difference.now}."
