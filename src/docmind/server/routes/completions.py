"""Any client that speaks OpenAI's protocol can ask, with a workflow as the model."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event

from docmind.domain.answers import RunResult
from docmind.domain.stream import Resulted, StreamEvent
from docmind.runtime.threshold import passed_on
from docmind.server.auth import Reader
from docmind.server.deps import ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.openai_protocol import (
    Chunk,
    Completion,
    CompletionRequest,
    Extension,
    Model,
    ModelList,
    Usage,
    said,
)
from docmind.server.telling import EventStream, as_events, problem_in

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
