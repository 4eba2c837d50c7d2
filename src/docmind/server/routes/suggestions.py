"""Suggested questions: what the documents of a workspace surely answer, and the answer at once."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult
from docmind.domain.confidence import told
from docmind.memory.suggestions import Suggestion
from docmind.server.auth import Reader
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/suggestions", tags=["suggestions"], responses=RESPONSES)

RunId = Annotated[str, Path(alias="id", description="The run of a suggested question.")]


class SuggestionRow(BaseModel):
    """A question that the documents answer."""

    workflow: Annotated[str, Field(examples=["docs"])]
    question: Annotated[str, Field(examples=["Which competitor delivers fastest?"])]
    run: Annotated[str | None, Field(description="What has its answer; null where it is to be asked.")]
    confidence_in_words: Annotated[str | None, Field(examples=["very likely right, 91%"])]

    @classmethod
    def of(cls, one: Suggestion) -> "SuggestionRow":
        words = None if one.confidence is None else told(one.confidence)
        return cls(workflow=one.workflow, question=one.question, run=one.run, confidence_in_words=words)


class SuggestionList(BaseModel):
    suggestions: list[SuggestionRow]


@router.get("")
async def list_suggestions(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> SuggestionList:
    """Questions on the documents that all of the workspace share, each answered before with high confidence."""
    scope = caller.scope(asked)
    found = await backend.read(lambda engine: engine.suggested(scope))
    return SuggestionList(suggestions=[SuggestionRow.of(one) for one in found])


@router.post("/{id}")
async def take_suggestion(run: RunId, asked: Scoped, caller: Reader, backend: ToBackend) -> RunResult:
    """The answer at once. It is recorded as a run of the caller's own."""
    scope = caller.scope(asked)
    return await backend.read(lambda engine: engine.take_suggestion(run, scope))
