"""What to begin with: questions that the documents surely answer, and a workspace of examples."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from docmind.domain.answers import RunResult
from docmind.domain.confidence import told
from docmind.domain.scope import Scope
from docmind.memory.suggestions import Suggestion
from docmind.runtime.engine import DocMind
from docmind.runtime.examples import WORKSPACE
from docmind.server.auth import Admin, Reader
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.uploads import UploadRow, upload_rows

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


examples = APIRouter(prefix="/v1/examples", tags=["examples"], responses=RESPONSES)


class Examples(BaseModel):
    """The workspace of the examples."""

    workspace: Annotated[str, Field(examples=["examples"])]
    upload: Annotated[UploadRow | None, Field(description="What is read for it; null where all of them are there.")]


@examples.post("", status_code=202)
async def add_examples(caller: Admin, backend: ToBackend) -> Examples:
    """Fill the workspace `examples` with the documents that ship with DocMind, in the background; once is enough."""
    caller.scope(Scoped(workspace=WORKSPACE))
    caller.require_owning(None)

    def add(engine: DocMind) -> Examples:
        queued = engine.queue_examples()
        upload = upload_rows(engine, queued, Scope(WORKSPACE))[0] if queued else None
        return Examples(workspace=WORKSPACE, upload=upload)

    return await backend.write(add)
