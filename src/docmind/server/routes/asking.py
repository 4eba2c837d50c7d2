"""Asking: a question in, a checked answer out, whole or told while it comes about; and what is asked back."""

from typing import Annotated, TypedDict

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.answers import Clarification, RunResult
from docmind.memory.run import Run
from docmind.runtime.engine import DocMind
from docmind.server.auth import Reader
from docmind.server.deps import MostWrong, Scoped, Text, Thread, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.runs import Reference, moment
from docmind.server.sse import as_events, streamed, wants_events

router = APIRouter(prefix="/v1", tags=["asking"], responses=RESPONSES)

EVENTS = as_events(
    "The answer; with `Accept: text/event-stream` the events of the run, the answer last.",
    'event: run_started\ndata: {"type":"run_started","run_id":"7c9e66a0","workflow":"docs","most_steps":8,'
    '"most_model_calls":0,"most_input_tokens":0,"most_output_tokens":0,"most_cost":0.0}\n\n'
    'event: node_started\ndata: {"type":"node_started","node":"decompose","started":0.002,'
    '"doing":"Reading the question"}\n\n'
    'event: result\ndata: {"type":"result","result":{"run_id":"7c9e66a0","status":"answered","answer":"…"}}\n\n',
)


class Options(TypedDict):
    """What the engine is asked besides the question."""

    workflow: str
    thread: str | None
    conversational: bool | None
    most_wrong: float | None
    max_retries: int | None


class Question(Scoped):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"question": "When does production in Ostrava start?", "workspace": "strategy"},
                {"question": "And who decides that?", "workflow": "chat", "thread": "monday", "user": "alice"},
            ]
        }
    )

    question: Annotated[Text, Field(description="What to answer, in plain words.")]
    workflow: Annotated[Text, Field(description="Who answers: docs, strategy, finance or chat.")] = "docs"
    thread: Thread | None = None
    conversational: Annotated[
        bool | None, Field(description="Which mode of the chat workflow; without, the service's settings say.")
    ] = None
    most_wrong: MostWrong | None = None
    max_retries: Annotated[
        int | None,
        Field(description="How often the strategy workflow may try again; without, the settings say.", ge=0, le=10),
    ] = None

    def options(self) -> "Options":
        """How it is to be answered."""
        return {
            "workflow": self.workflow,
            "thread": self.thread,
            "conversational": self.conversational,
            "most_wrong": self.most_wrong,
            "max_retries": self.max_retries,
        }


class Reply(Scoped):
    model_config = ConfigDict(json_schema_extra={"examples": [{"answer": "The budget of 2026", "user": "alice"}, {}]})

    answer: Annotated[Text | None, Field(description="The answer to what the run asked, if it did.")] = None


class OpenQuestion(BaseModel):
    """A run that waits for a person."""

    run: Annotated[str, Field(description="The run to resume with the answer.")]
    workflow: str
    thread: str | None
    asked_at: Annotated[str, Field(examples=["2026-03-02T09:30:00.000+00:00"])]
    question: Annotated[str, Field(description="What the person had asked.")]
    clarification: Annotated[Clarification | None, Field(description="What the run asks back.")]

    @classmethod
    def of(cls, run: Run) -> "OpenQuestion":
        return cls(
            run=run.id,
            workflow=run.workflow,
            thread=run.thread,
            asked_at=moment(run.started),
            question=run.question,
            clarification=run.result.clarification if run.result else None,
        )


class OpenQuestions(BaseModel):
    clarifications: Annotated[list[OpenQuestion], Field(description="Oldest first.")]


@router.post("/ask", response_model=RunResult, responses=EVENTS)
async def ask(asked: Question, request: Request, caller: Reader, backend: ToBackend) -> Response:
    """Answer a question from the documents of the workspace, every sentence cited and checked.

    A client that goes away stops the run, which can then be resumed.
    """
    scope, engine = caller.scope(asked), backend.engine
    question, options = backend.question(asked.question), asked.options()
    if wants_events(request):
        return await streamed(backend.desk.events(engine.astream(question, scope, **options)))
    return _whole(await backend.desk.answer(engine.astream(question, scope, **options, watched=False), request))


@router.post("/runs/{id}/resume", response_model=RunResult, responses=EVENTS)
async def resume_run(
    reference: Reference, asked: Reply, request: Request, caller: Reader, backend: ToBackend
) -> Response:
    """Continue a run that was stopped, from its last finished step, or answer its question.

    A run that has ended gives its result once more.
    """
    scope, engine = caller.scope(asked), backend.engine
    answer = None if asked.answer is None else backend.question(asked.answer)
    if wants_events(request):
        return await streamed(backend.desk.events(engine.aresume_stream(reference, scope, answer)))
    return _whole(await backend.desk.answer(engine.aresume_stream(reference, scope, answer, watched=False), request))


@router.get("/clarifications")
async def list_clarifications(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> OpenQuestions:
    """Questions that the user's runs asked and nobody has answered yet."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> OpenQuestions:
        return OpenQuestions(clarifications=[OpenQuestion.of(run) for run in engine.pending(scope)])

    return await backend.read(read)


def _whole(result: RunResult) -> Response:
    return Response(result.model_dump_json(), media_type="application/json")
