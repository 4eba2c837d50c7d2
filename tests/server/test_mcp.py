"""The tools of the Model Context Protocol, called by the protocol's own client over HTTP."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from docmind.domain.scope import Role, Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from tests.server.test_completions import writes

QUESTION = "For how much did the board approve the purchase of the Halden mill?"


@pytest.fixture(scope="module")
def address(library: DocMind, serving: Any) -> Iterator[str]:
    with serving(create_app(library)) as client:
        yield f"{client.base_url}/mcp".replace("//mcp", "/mcp")


@pytest.fixture(autouse=True)
def _no_keys(library: DocMind) -> Iterator[None]:
    yield
    library.keys.forget()


@asynccontextmanager
async def client_of(address: str, token: str | None = None) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, timeout=None) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


def call(address: str, tool: str, token: str | None = None, **arguments: Any) -> CallToolResult:
    async def calling() -> CallToolResult:
        async with client_of(address, token) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(calling)


def text(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


def structured(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text(result)
    told: dict[str, Any] = result.structured_content
    return told


def test_a_client_finds_the_tools_with_what_they_ask_for(address: str) -> None:
    async def listing() -> dict[str, Any]:
        async with client_of(address) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    tools = anyio.run(listing)
    assert list(tools) == ["ask", "search", "check", "documents"]
    assert tools["ask"].input_schema["required"] == ["question"]
    assert tools["search"].input_schema["required"] == ["query"]
    assert tools["check"].input_schema["required"] == ["text"]
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools.values())


def test_an_answer_comes_with_its_sources_for_people_and_for_programs(address: str, library: DocMind) -> None:
    answer = call(address, "ask", question=QUESTION)
    told = structured(answer)
    assert "14.2 million euros" in told["answer"]
    assert text(answer).startswith(told["answer"])
    assert f"{told['citations'][0]['marker']} {told['citations'][0]['title']}: “" in text(answer)
    assert library.find_run(told["run_id"], Scope("default")).question == QUESTION


def test_an_answer_says_once_how_likely_it_is_right(address: str) -> None:
    answer = call(address, "ask", question=QUESTION)
    words = structured(answer)["confidence_in_words"]
    assert text(answer).endswith(f"\n\nConfidence: {words}")
    assert text(answer).count("%") == 1


def test_what_is_withheld_is_not_told_and_the_nearest_passages_are(address: str) -> None:
    answer = call(address, "ask", question=QUESTION, most_wrong=0)
    assert structured(answer)["status"] == "refused"
    assert "withheld" not in structured(answer)
    assert text(answer).startswith("An answer was found, but it is only ")
    assert "The nearest passages" in text(answer)
    assert "[1]" not in text(answer)


@pytest.mark.parametrize("workflow", ["strategy", "finance"])
@pytest.mark.parametrize("sentence", ["Energy prices at Halden rose by a third last winter", "Pigs fly over Halden"])
def test_no_draft_and_nothing_beside_the_question_is_passed_on(
    opened: Any, serving: Any, workflow: str, sentence: str
) -> None:
    with serving(create_app(opened(writes(sentence)))) as client:
        answer = call(f"{client.base_url}/mcp".replace("//mcp", "/mcp"), "ask", question=QUESTION, workflow=workflow)
    told = structured(answer)
    assert sentence not in f"{told['answer']} {told['claims']} {told['evaluation']}"
    assert sentence not in text(answer).partition("The nearest passages")[0]


def test_a_search_gives_the_passages_that_the_engine_finds(address: str, library: DocMind) -> None:
    hits = structured(call(address, "search", query="the Halden mill", limit=2))["hits"]
    found = library.search("the Halden mill", Scope("default"), limit=2)
    assert [hit["text"] for hit in hits] == [hit.passage.text for hit in found]


def test_a_text_is_checked_for_people_and_for_programs(address: str, library: DocMind) -> None:
    copied, foreign = "Energy prices at Halden rose by a third last winter.", "The wizard flew to Mars on dragons."
    answer = call(address, "check", text=f"{copied} {foreign}")
    assert structured(answer) == library.check(f"{copied} {foreign}", Scope("default")).model_dump(mode="json")
    first, second = text(answer).splitlines()
    assert first.startswith(f"supported: {copied} (Minutes of the board")
    assert first.endswith(f": “{copied}”)")
    assert second == f"not found: {foreign}"


def test_documents_are_those_of_the_scope(address: str) -> None:
    def names(**scope: str) -> set[str]:
        rows = structured(call(address, "documents", **scope))["documents"]
        return {row["name"].split("/")[-1] for row in rows}

    assert names() == {"minutes.md", "prices.csv"}
    assert names(user="alice") == {"minutes.md", "prices.csv", "diary.md"}
    assert names(workspace="other") == {"plan.md"}
    assert names(workspace="empty") == set()


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {"query": "x", "limt": 3}, "limt: Extra inputs are not permitted."),
        ("search", {}, "query: Field required."),
        ("ask", {"question": "  "}, "The question is empty."),
        ("check", {"text": "  "}, "The text is empty."),
        ("check", {"text": "x", "workspace": "empty"}, "Workspace 'empty' has no documents"),
        ("ask", {"question": "x" * 100_000}, "The question has 100,000 characters"),
        ("ask", {"question": "x", "workspace": "../etc"}, "'../etc' cannot be a workspace name"),
    ],
)
def test_a_call_that_cannot_be_is_refused_in_a_sentence(
    address: str, tool: str, arguments: dict[str, Any], said: str
) -> None:
    refused = call(address, tool, **arguments)
    assert refused.is_error
    assert text(refused).startswith(said)


def test_an_unknown_tool_is_answered_with_those_there_are(address: str) -> None:
    async def calling() -> None:
        async with client_of(address) as client:
            with pytest.raises(MCPError, match="There is no tool 'shell'; there are ask, search, check, documents"):
                await client.call_tool("shell", {})

    anyio.run(calling)


def test_with_keys_the_tools_need_one_and_stay_inside_its_scope(address: str, library: DocMind) -> None:
    _, token = library.keys.create(Role.READER, workspace="other")
    assert httpx.post(address, json={}, trust_env=False, timeout=None).status_code == 401
    rows = structured(call(address, "documents", token))["documents"]
    assert {row["name"].split("/")[-1] for row in rows} == {"plan.md"}
    questions = {"documents": {}, "search": {"query": "mill"}, "check": {"text": "mill"}, "ask": {"question": QUESTION}}
    for tool, arguments in questions.items():
        refused = call(address, tool, token, workspace="default", **arguments)
        assert refused.is_error
        assert text(refused).startswith("This key is for workspace 'other'")


def test_a_client_of_an_earlier_protocol_is_served_as_well(address: str) -> None:
    def send(method: str, **params: Any) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
        answer = httpx.post(address, json=message, headers=headers, trust_env=False, timeout=None)
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()["result"]
        return result

    who = {"name": "early", "version": "1"}
    begun = send("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=who)
    assert begun["serverInfo"]["name"] == "docmind"
    assert "`ask`" in begun["instructions"]
    assert [tool["name"] for tool in send("tools/list")["tools"]] == ["ask", "search", "check", "documents"]
    found = send("tools/call", name="documents", arguments={"workspace": "other"})
    assert [row["title"] for row in found["structuredContent"]["documents"]] == ["Plan of the other workspace"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_session_to_listen_to_or_to_end(address: str, method: str) -> None:
    refused = httpx.request(method, address, headers={"Accept": "text/event-stream"}, trust_env=False)
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


def test_a_web_page_cannot_call_tools(address: str) -> None:
    foreign = {"Origin": "https://papers.example"}
    refused = httpx.post(address, json={}, headers=foreign, trust_env=False, timeout=None)
    assert (refused.status_code, refused.json()["code"]) == (403, "foreign_origin")
