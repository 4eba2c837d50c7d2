"""Feedback: whether an answer is right, as the person who asked calls it, and how well the confidence foretold that."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from docmind.memory.run import Run
from docmind.quality.reliability import Band
from docmind.runtime.engine import DocMind
from docmind.runtime.feedback import LONGEST_COMMENT
from docmind.server.auth import Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.runs import Reference, RunRow, WholeRun, moment

router = APIRouter(prefix="/v1", tags=["feedback"], responses=RESPONSES)


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


@router.get("/feedback")
async def list_feedback(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> FeedbackList:
    """All feedback of the user, and how often answers of each confidence were rated right."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> FeedbackList:
        rows = [row for run in engine.feedback(scope) if (row := FeedbackRow.of(run))]
        return FeedbackList(feedback=rows, by_confidence=[ReliabilityRow.of(one) for one in engine.reliability(scope)])

    return await backend.read(read)


@router.put("/runs/{id}/feedback", response_model=WholeRun)
async def give_feedback(reference: Reference, asked: GivenFeedback, caller: Reader, backend: ToBackend) -> Response:
    """Say whether the answer of a run is right. Earlier feedback on it is replaced."""
    scope = caller.scope(asked)

    def write(engine: DocMind) -> str:
        judged = engine.give_feedback(reference, scope, right=asked.right, comment=asked.comment)
        return WholeRun.of(judged).model_dump_json()

    return Response(await backend.read(write), media_type="application/json")


@router.delete("/runs/{id}/feedback")
async def remove_feedback(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> RunRow:
    """Remove the feedback on the answer of a run."""
    scope = caller.scope(asked)
    return RunRow.of(await backend.read(lambda engine: engine.remove_feedback(reference, scope)))
