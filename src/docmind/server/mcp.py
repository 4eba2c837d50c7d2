"""DocMind as tools of the Model Context Protocol: ask, search, check and documents, with the same keys and scopes."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import Field, ValidationError
from starlette.requests import Request

from docmind.domain.answers import NearPassage, RunResult, TextClaim
from docmind.domain.errors import DocMindError
from docmind.domain.rows import DocumentRow, HitRow
from docmind.runtime.threshold import passed_on
from docmind.server.auth import Caller
from docmind.server.deps import Backend, MostWrong, Scoped, Text
from docmind.server.routes.checking import CheckRequest
from docmind.server.routes.completions import said
from docmind.server.routes.search import SearchRequest
from docmind.version import VERSION

INSTRUCTIONS = (
    "Questions about a person's own documents. `ask` gives an answer in which every sentence is cited and checked; "
    "`search` gives passages to read oneself; `check` says of each sentence of a text whether the documents "
    "support it; `documents` says what there is."
)


class AskArguments(Scoped):
    question: Annotated[Text, Field(description="The question, in plain words.")]
    workflow: Annotated[
        Literal["docs", "strategy", "finance"],
        Field(description="How to answer: from documents at large, for decisions, or with figures and calculations."),
    ] = "docs"
    most_wrong: MostWrong | None = None


class _Call(NamedTuple):
    backend: Backend
    request: Request
    caller: Caller


class _Tool(NamedTuple):
    title: str
    description: str
    arguments: type[Scoped]
    answer: Callable[[_Call, Any], Awaitable[CallToolResult]]


async def _ask(call: _Call, asked: AskArguments) -> CallToolResult:
    scope, question = call.caller.scope(asked), call.backend.question(asked.question)
    how: dict[str, Any] = {"workflow": asked.workflow, "most_wrong": asked.most_wrong}
    run = call.backend.engine.astream(question, scope, **how, watched=False)
    result = passed_on(await call.backend.desk.answer(run, call.request))
    # What was withheld is not for an assistant to pass on.
    return _told(_with_sources(result), result.model_dump(mode="json", exclude={"trace", "withheld"}))


async def _search(call: _Call, asked: SearchRequest) -> CallToolResult:
    found = await call.backend.engine.asearch(
        asked.query,
        call.caller.scope(asked),
        limit=asked.limit,
        min_score=asked.min_score,
        filters=asked.filters.chosen(),
    )
    rows = [HitRow.of(rank, hit) for rank, hit in enumerate(found, start=1)]
    passages = (f"[{row.rank}] {row.name}, characters {row.start} to {row.end}\n{row.text}" for row in rows)
    return _told("\n\n".join(passages) or "Nothing was found.", {"hits": [row.model_dump() for row in rows]})


async def _check(call: _Call, asked: CheckRequest) -> CallToolResult:
    check = call.backend.engine.acheck(asked.text, call.caller.scope(asked))
    checked = await call.backend.desk.result(check, call.request)
    told = "\n".join(_with_quote(claim) for claim in checked.claims)
    return _told(told or "No sentence in the text makes a claim.", checked.model_dump(mode="json"))


async def _documents(call: _Call, asked: Scoped) -> CallToolResult:
    scope = call.caller.scope(asked)
    found = await call.backend.read(lambda engine: [DocumentRow.of(one) for one in engine.documents(scope)])
    names = "\n".join(f"{row.name}: {row.title}" for row in found)
    return _told(names or "There are no documents yet.", {"documents": [row.model_dump() for row in found]})


TOOLS = {
    "ask": _Tool(
        "Ask the documents",
        "Answer a question from the documents, every sentence cited to exact characters and checked against them; "
        "what they do not answer is refused.",
        AskArguments,
        _ask,
    ),
    "search": _Tool("Search the documents", "Find the passages most relevant to a question.", SearchRequest, _search),
    "check": _Tool(
        "Check a text",
        "Say of each sentence of a text whether the documents support it, contradict it or do not speak of it, with "
        "the words that decide.",
        CheckRequest,
        _check,
    ),
    "documents": _Tool("List the documents", "Say which documents there are.", Scoped, _documents),
}


def open_sessions(backend: Backend) -> StreamableHTTPSessionManager:
    """What answers the protocol's requests, as long as it runs."""
    tools = _Tools(backend)
    server: Server[Any] = Server(
        "docmind",
        title="DocMind",
        version=VERSION,
        instructions=INSTRUCTIONS,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
    )
    return StreamableHTTPSessionManager(server, json_response=True, stateless=True)


class _Tools:
    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    async def list(self, _context: Any, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.arguments.model_json_schema(),
                    annotations=ToolAnnotations(read_only_hint=True),
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call(self, context: ServerRequestContext[Any, Any], params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None or context.request is None:
            raise MCPError(INVALID_PARAMS, f"There is no tool {params.name[:80]!r}; there are {', '.join(TOOLS)}.")
        call = _Call(self._backend, context.request, context.request.state.caller)
        try:
            return await tool.answer(call, tool.arguments.model_validate(params.arguments or {}))
        except ValidationError as error:
            return _failed(" ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}." for one in error.errors()))
        except DocMindError as error:
            return _failed(str(error))


def _told(text: str, structured: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], structured_content=structured)


def _failed(sentence: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=sentence)], is_error=True)


def _with_sources(result: RunResult) -> str:
    sources = [f"{one.marker} {one.title}: “{one.quote}”" for one in result.citations]
    words = result.confidence_in_words
    sure = f"Confidence: {words}" if words else ""
    parts = [said(result), "\n".join(sources), sure, _near(result.nearest)]
    return "\n\n".join(filter(None, parts))


def _near(nearest: Sequence[NearPassage]) -> str:
    if not nearest:
        return ""
    passages = (f"- {one.title} ({_place(one)}): {one.excerpt}" for one in nearest)
    return "\n".join(("The nearest passages, to be read for oneself; no answer is given from them:", *passages))


def _place(passage: NearPassage) -> str:
    return f"{passage.source}, page {passage.page}" if passage.page else passage.source


def _with_quote(claim: TextClaim) -> str:
    place = f", page {claim.page}" if claim.page else ""
    quote = f" ({claim.title}{place}: “{claim.quote}”)" if claim.quote else ""
    return f"{claim.status.replace('_', ' ')}: {claim.text}{quote}"
