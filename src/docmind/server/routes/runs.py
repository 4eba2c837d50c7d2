"""Runs: what was asked, how it ended, the whole answer with its trace, whether it is right, and the same run again."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult, Status
from docmind.domain.confidence import Band
from docmind.memory.run import Run, RunState
from docmind.runtime.engine import DocMind
from docmind.runtime.runs import LONGEST_COMMENT
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES

if TYPE_CHECKING:
    from docmind.runtime.replay import Difference


_SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
PAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The export; with `format=html` a page of HTML.",
        "content": {"text/html": {"schema": {"type": "string"}}},
    }
}
"""For a route's `responses`."""


class Exporting(Scoped):
    format: Annotated[
        Literal["json", "html"], Field(description="`json` for programs, or `html`: one file that people can read.")
    ] = "json"


def download(name: str) -> dict[str, str]:
    """The headers of a file to be saved under this name."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def shared(page: str, name: str) -> Response:
    return Response(
        page,
        media_type="text/html",
        headers=download(f"{name}.html") | {"Content-Security-Policy": _SANDBOX},
    )


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


feedback = APIRouter(prefix="/v1", tags=["feedback"], responses=RESPONSES)


class GivenFeedback(Scoped):
    right: Annotated[bool, Field(description="Whether the answer is right.")]
    comment: Annotated[Text, Field(description="What is wrong with it, or good.", max_length=LONGEST_COMMENT)] = ""


class FeedbackRow(BaseModel):
    """An answer that was called right or wrong."""

    run: str
    workflow: Annotated[str, Field(examples=["docs"])]
    question: str
    right: bool
    comment: str
    given: Annotated[str, Field(examples=["2026-03-02T09:31:00.000+00:00"])]
    confidence: Annotated[
        float | None, Field(description="How likely right the answer was said to be; null where nothing was said.")
    ]

    @classmethod
    def of(cls, run: Run) -> "FeedbackRow | None":
        if run.feedback is None:
            return None
        result = run.result
        return cls(
            run=run.id,
            workflow=run.workflow,
            question=run.question,
            right=run.feedback.right,
            comment=run.feedback.comment,
            given=moment(run.feedback.given),
            confidence=result.confidence if result and result.confidence_in_words else None,
        )


class ReliabilityRow(BaseModel):
    """The answers that were called equally sure."""

    called: Annotated[str, Field(examples=["likely right"])]
    answers: int
    right: Annotated[int, Field(description="How many of them were called right.")]
    confidence: Annotated[float, Field(description="What their confidence was on average.")]
    low: Annotated[float, Field(description="The share that is right lies above this, 95 times of 100 between both.")]
    high: float

    @classmethod
    def of(cls, band: Band) -> "ReliabilityRow":
        low, high = band.interval
        return cls(
            called=band.called,
            answers=band.answers,
            right=band.right,
            confidence=round(band.confidence, 4),
            low=round(low, 4),
            high=round(high, 4),
        )


class FeedbackList(BaseModel):
    feedback: Annotated[list[FeedbackRow], Field(description="The latest first.")]
    by_confidence: Annotated[list[ReliabilityRow], Field(description="The surest answers first.")]


@feedback.get("/feedback")
async def list_feedback(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> FeedbackList:
    """All feedback of the user, and how often answers of each confidence were rated right."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> FeedbackList:
        rows = [row for run in engine.feedback(scope) if (row := FeedbackRow.of(run))]
        return FeedbackList(feedback=rows, by_confidence=[ReliabilityRow.of(one) for one in engine.reliability(scope)])

    return await backend.read(read)


@feedback.put("/runs/{id}/feedback", response_model=WholeRun)
async def give_feedback(reference: Reference, asked: GivenFeedback, caller: Reader, backend: ToBackend) -> Response:
    """Say whether the answer of a run is right. Earlier feedback on it is replaced."""
    scope = caller.scope(asked)

    def write(engine: DocMind) -> str:
        judged = engine.give_feedback(reference, scope, right=asked.right, comment=asked.comment)
        return WholeRun.of(judged).model_dump_json()

    return Response(await backend.read(write), media_type="application/json")


@feedback.delete("/runs/{id}/feedback")
async def remove_feedback(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> RunRow:
    """Remove the feedback on the answer of a run."""
    scope = caller.scope(asked)
    return RunRow.of(await backend.read(lambda engine: engine.remove_feedback(reference, scope)))
