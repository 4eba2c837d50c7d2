"""Any client that speaks OpenAI's protocol can ask, with a workflow as the model."""

import json
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import BaseModel, ConfigDict, Field

from docmind.domain.answers import CheckedClaim, Citation, Clarification, NearPassage, RunResult, Status
from docmind.domain.errors import InvalidQuery
from docmind.domain.stream import Resulted, StreamEvent
from docmind.runtime.threshold import passed_on
from docmind.server.auth import Reader
from docmind.server.deps import MostWrong, Scoped, Text, Thread, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.sse import EventStream, as_events, problem_in
from docmind.skills.dialogue.history import History, Turn, unmarked
from docmind.skills.rewrite import by_structure

MOST_EARLIER = 40
"""Messages that count as the conversation, the newest; what is further back is not spoken of any more."""
_LONGEST_EARLIER = 4_000


class Part(BaseModel):
    type: str
    text: Text = ""


class Message(BaseModel):
    role: str
    content: Annotated[Text | list[Part] | None, Field(description="Text, or parts of which the texts count.")] = None

    def text(self) -> str:
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class CompletionRequest(Scoped):
    """What clients of that protocol send besides, such as a temperature, is taken and has no effect."""

    model_config = ConfigDict(
        extra="ignore",
        json_schema_extra={
            "examples": [
                {
                    "model": "docs",
                    "messages": [{"role": "user", "content": "When does production in Ostrava start?"}],
                    "workspace": "strategy",
                }
            ]
        },
    )

    model: Annotated[Text, Field(description="The workflow that answers.")]
    messages: Annotated[
        list[Message],
        Field(
            description="The last one of the user is the question; those of the user and the assistant before it are "
            "the conversation that it belongs to. Others have no effect."
        ),
    ]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    thread: Thread | None = None
    most_wrong: MostWrong | None = None

    def question(self) -> str:
        """What the user asks, alone: what it takes from the messages before it is written out.

        In a thread it stays as it is, for the thread is the conversation then.
        """
        last = max((at for at, message in enumerate(self.messages) if message.role == "user"), default=None)
        if last is None:
            raise InvalidQuery("There is no message with the role `user`, so there is nothing to answer.")
        asked = self.messages[last].text()
        return asked if self.thread else by_structure(asked, _history(self.messages[:last]))


def _history(messages: Sequence[Message]) -> History:
    """The newest turns: each message of the user with the assistant's next, its marks and caveats among it."""
    turns: list[Turn] = []
    for message in messages[-MOST_EARLIER:]:
        text = message.text()[:_LONGEST_EARLIER]
        if message.role == "user":
            # As it was understood: "and in 2024?" is no help to the question after it.
            turns.append(Turn(by_structure(text, History(tuple(turns))), asked=text))
        elif message.role == "assistant" and turns:
            turns[-1] = replace(turns[-1], answer=unmarked(text))
    return History(tuple(turns))


class Extension(BaseModel):
    """What the protocol has no field for: everything the answer rests on."""

    run_id: str
    status: Status
    confidence: float
    confidence_in_words: str | None
    citations: list[Citation]
    claims: list[CheckedClaim]
    nearest: list[NearPassage]
    notices: list[str]
    clarification: Clarification | None

    @classmethod
    def of(cls, result: RunResult) -> "Extension":
        return cls(**{name: getattr(result, name) for name in cls.model_fields})


class Usage(BaseModel):
    """Tokens that the chat models of a run read and wrote."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int

    @classmethod
    def of(cls, result: RunResult) -> "Usage":
        used = result.usage
        read = used.tokens - used.output_tokens
        return cls(prompt_tokens=read, completion_tokens=used.output_tokens, total_tokens=used.tokens)


class Said(BaseModel):
    role: Literal["assistant"] = "assistant"
    content: str


class Choice(BaseModel):
    index: Literal[0] = 0
    message: Said
    finish_reason: Literal["stop"] = "stop"


class Completion(BaseModel):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    model: str
    choices: list[Choice]
    usage: Usage
    docmind: Extension

    @classmethod
    def of(cls, result: RunResult) -> "Completion":
        return cls(
            id=result.run_id,
            created=int(time.time()),
            model=result.workflow,
            choices=[Choice(message=Said(content=said(result)))],
            usage=Usage.of(result),
            docmind=Extension.of(result),
        )


class Model(BaseModel):
    id: Annotated[str, Field(examples=["docs"])]
    object: Literal["model"] = "model"
    created: Literal[0] = 0
    owned_by: Literal["docmind"] = "docmind"


class ModelList(BaseModel):
    object: Literal["list"] = "list"
    data: list[Model]


class Chunk(BaseModel):
    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: Usage | None = None
    docmind: Extension | None = None


def said(result: RunResult) -> str:
    """The answer, or what is asked back with its options, and what a reader has to know of how it came about."""
    asked = result.clarification
    question = () if asked is None else (asked.question, *(f"- {option}" for option in asked.options))
    told = "\n".join(filter(None, (result.answer, *question)))
    return "\n\n".join(filter(None, (told, "\n".join(result.notices))))


router = APIRouter(prefix="/v1", tags=["openai"], responses=RESPONSES)

_PIECE = 40
"""Characters that a streamed answer comes in at once."""
_DONE = format_sse_event(data_str="[DONE]")
_EVENTS = as_events(
    "The answer; with `stream` in pieces, once it has passed its checks.",
    'data: {"id":"7c9e66a0","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Production"}}]}'
    "\n\ndata: [DONE]\n\n",
)


@router.get("/models")
async def list_models(_caller: Reader, backend: ToBackend) -> ModelList:
    """The workflows, as models."""
    workflows = await backend.read(lambda engine: engine.workflows())
    return ModelList(data=[Model(id=workflow.name) for workflow in workflows])


@router.post("/chat/completions", response_model=Completion, responses=_EVENTS)
async def complete_chat(asked: CompletionRequest, request: Request, caller: Reader, backend: ToBackend) -> Response:
    """Answer the last message of the user as OpenAI's protocol has it; the field `docmind` says what it rests on.

    Earlier messages of the user and the assistant are the conversation, so that "and in 2024?" is understood. Messages
    with other roles have no effect. With a `thread` the conversation is kept here instead.
    """
    scope, question = caller.scope(asked), backend.question(asked.question())
    engine, workflow, thread, most_wrong = backend.engine, asked.model, asked.thread, asked.most_wrong
    if asked.stream:
        told = engine.astream(question, scope, workflow=workflow, thread=thread, most_wrong=most_wrong)
        events = backend.desk.events(told)
        first = await anext(events)
        return EventStream(_chunks(asked, first, events))
    run = engine.astream(question, scope, workflow=workflow, thread=thread, most_wrong=most_wrong, watched=False)
    whole = Completion.of(passed_on(await backend.desk.answer(run, request)))
    return Response(whole.model_dump_json(), media_type="application/json")


async def _chunks(
    asked: CompletionRequest, first: StreamEvent | None, events: AsyncGenerator[StreamEvent | None, None]
) -> AsyncGenerator[bytes, None]:
    """Nothing is said before its checks are through: in this protocol nothing can be taken back."""
    result: RunResult | None = first.result if isinstance(first, Resulted) else None
    try:
        async with aclosing(events):
            async for event in events:
                if event is None:
                    yield KEEPALIVE_COMMENT
                elif isinstance(event, Resulted):
                    result = event.result
    except Exception as error:  # noqa: BLE001 - the edge: a stream that has begun can only say so
        yield _failure(error)
        return
    if result is None:
        raise AssertionError("Every run gives a result or raises.")
    result = passed_on(result)
    content = said(result)
    pieces = [content[start : start + _PIECE] for start in range(0, len(content), _PIECE)]
    for piece in pieces or [""]:
        yield _chunk(result, [{"index": 0, "delta": {"role": "assistant", "content": piece}, "finish_reason": None}])
    last = [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    yield _chunk(result, last, docmind=Extension.of(result))
    if asked.stream_options and asked.stream_options.include_usage:
        yield _chunk(result, [], usage=Usage.of(result))
    yield _DONE


def _failure(error: Exception) -> bytes:
    """As clients of the protocol read one in a stream."""
    problem = problem_in(error)
    return format_sse_event(data_str=json.dumps({"error": {"message": problem.detail, "code": problem.code}}))


def _chunk(
    result: RunResult, choices: list[dict[str, Any]], *, usage: Usage | None = None, docmind: Extension | None = None
) -> bytes:
    told = Chunk(
        id=result.run_id, created=int(time.time()), model=result.workflow, choices=choices, usage=usage, docmind=docmind
    )
    return format_sse_event(data_str=told.model_dump_json())
