"""Whoever knows another's ids and names learns nothing through any door of the service, not even that they exist."""

import re
from collections.abc import Iterator
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from docmind.domain.scope import Role
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from tests.abuse.conftest import THREAD, Dweller, House

STRANGE = dict.fromkeys(("documents", "runs", "suggestions", "uploads"), "0" * 32) | {
    "keys": "0" * 12,
    "threads": "nobody",
}
"""What nobody has."""
BODIES: dict[str, dict[str, Any]] = {"POST": {}, "PUT": {"right": True}, "PATCH": {"title": "Mine", "pinned": True}}
ASKED = {"boxes": {"start": 0, "end": 5}, "matches": {"words": "budget"}}
"""What a request needs besides the id."""
TOOLS: dict[str, dict[str, str]] = {
    "ask": {"question": "x"},
    "search": {"query": "x"},
    "check": {"text": "x"},
    "documents": {},
}
"""What each tool needs besides the scope."""
FEW = settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])


class Visitors:
    """Everybody in the house at the service, each with their own key."""

    def __init__(self, client: httpx.Client, tokens: dict[str, str]) -> None:
        self._client = client
        self._tokens = tokens
        self.address = str(client.base_url).rstrip("/")
        paths = client.get("/openapi.json").json()["paths"]
        self.by_id = sorted((m.upper(), path) for path, methods in paths.items() for m in methods if "{id}" in path)
        self.rest = sorted(path for path, methods in paths.items() if "get" in methods and "{" not in path)

    def token(self, who: Dweller) -> str:
        return self._tokens[who.secret]

    def references(self, who: Dweller) -> dict[str, list[str]]:
        """By the kind of thing, what somebody else might have learnt to call theirs by."""
        return who.references | {"keys": [self.token(who).split("_")[1]]}

    def send(self, who: Dweller, method: str, path: str, **sent: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token(who)}", **sent.pop("headers", {})}
        if method in BODIES:
            sent.setdefault("json", BODIES[method])
        return self._client.request(method, path, headers=headers, **sent)

    def call(self, who: Dweller, tool: str, **arguments: Any) -> str:
        async def calling() -> CallToolResult:
            async with (
                httpx2.AsyncClient(
                    headers={"Authorization": f"Bearer {self.token(who)}"}, trust_env=False, timeout=None
                ) as http,
                Client(streamable_http_client(f"{self.address}/mcp", http_client=http)) as client,
            ):
                return await client.call_tool(tool, arguments)

        told = anyio.run(calling)
        assert isinstance(told.content[0], TextContent)
        return f"{told.content[0].text}\n{told.structured_content}"


@pytest.fixture(scope="module")
def visitors(engine_of_house: DocMind, house: House, serving: Any) -> Iterator[Visitors]:
    engine = engine_of_house
    with serving(create_app(engine)) as client:
        tokens = {
            one.secret: engine.keys.create(Role.ADMIN, workspace=one.scope.workspace, user=one.scope.user)[1]
            for one in house.dwellers
        }
        yield Visitors(client, tokens)
    engine.keys.forget()


def pair(house: House, chosen: int) -> tuple[Dweller, Dweller]:
    pairs = [(one, other) for one in house.dwellers for other in house.dwellers if one is not other]
    return pairs[chosen % len(pairs)]


def wording(response: httpx.Response, reference: str) -> tuple[int, str, str]:
    told = response.json()
    return response.status_code, told["code"], told["detail"].replace(repr(reference[:80]), "…")


@FEW
@given(chosen=st.integers(0, 5), reference=st.integers(0, 3), events=st.booleans())
def test_what_is_anothers_is_as_if_it_were_not_there(
    visitors: Visitors, house: House, chosen: int, reference: int, events: bool
) -> None:
    one, other = pair(house, chosen)
    sent: dict[str, Any] = {"headers": {"Accept": "text/event-stream"}} if events else {}
    for method, path in visitors.by_id:
        kind = path.split("/")[2]
        theirs = visitors.references(other)[kind]
        asked, address = theirs[reference % len(theirs)], path.replace("{number}", "1")
        sent["params"] = ASKED.get(path.rpartition("/")[2])
        met, strange = (
            visitors.send(one, method, address.replace("{id}", name), **sent) for name in (asked, STRANGE[kind])
        )
        # Of keys nobody is told anything who may not revoke them all.
        assert met.status_code == (403 if kind == "keys" else 404), (method, path, met.text)
        assert wording(met, asked) == wording(strange, STRANGE[kind])
        assert not other.is_told_in(met.text)


def test_every_list_holds_ones_own_and_nothing_else(visitors: Visitors, house: House) -> None:
    for one in house.dwellers:
        shown = "".join(visitors.send(one, "GET", path).text for path in visitors.rest)
        shown += visitors.send(one, "GET", f"/v1/threads/{THREAD}").text
        shown += visitors.send(one, "GET", f"/v1/threads/{THREAD}/export").text
        assert one.is_told_in(shown)
        for other in house.dwellers:
            if other is not one:
                assert not other.is_told_in(shown)
                assert other.document.id not in shown
                assert other.run.run_id not in shown


QUESTIONS = (
    "What is the budget of Project Heron?",
    "What is the budget of Project Heron in workspace {workspace} of user {user}?",
    "What does document {document} say of the budget of Project Heron?",
    "What did run {run} say?",
    "Repeat what was said before about the budget.",
)


def worded(question: int, other: Dweller) -> str:
    scope = other.scope
    names = {"workspace": scope.workspace, "user": scope.user, "document": other.document.id, "run": other.run.run_id}
    return QUESTIONS[question % len(QUESTIONS)].format(**names)


@settings(max_examples=16, suppress_health_check=[HealthCheck.too_slow])
@given(
    chosen=st.integers(0, 5),
    question=st.integers(0, 4),
    door=st.sampled_from(["ask", "events", "search", "completions", "stream", "mcp ask", "mcp search", "check"]),
    workflow=st.sampled_from(["docs", "strategy", "finance", "chat"]),
)
def test_no_question_brings_anothers_figure_out(
    visitors: Visitors, house: House, chosen: int, question: int, door: str, workflow: str
) -> None:
    one, other = pair(house, chosen)
    text = worded(question, other)
    # Under the name that the other's conversation has too: what is remembered of it is theirs.
    thread = {"thread": THREAD} if workflow in ("chat", "finance") else {}
    asked = {"question": text, "workflow": workflow, **thread}
    messages = [{"role": "user", "content": text}]
    match door.split():
        case ["mcp", "ask"]:
            shown = visitors.call(one, "ask", question=text, workflow="docs" if workflow == "chat" else workflow)
        case ["mcp", _]:
            shown = visitors.call(one, "search", query=text) + visitors.call(one, "documents")
        case ["check"]:
            stated = f"The budget of Project Heron is {other.secret}."
            shown = visitors.send(one, "POST", "/v1/check", json={"text": stated}).text.replace(stated, "")
            shown += visitors.call(one, "check", text="The budget of Project Heron is one million euros.")
        case ["search"]:
            shown = visitors.send(one, "POST", "/v1/search", json={"query": text, "limit": 50}).text
        case ["completions" | "stream" as how]:
            sent = {"model": workflow, "messages": messages, "stream": how == "stream", **thread}
            shown = visitors.send(one, "POST", "/v1/chat/completions", json=sent).text
        case _:
            accept = {"Accept": "text/event-stream"} if door == "events" else {}
            shown = visitors.send(one, "POST", "/v1/ask", json=asked, headers=accept).text
    assert not other.is_told_in(shown)
    cited = set(re.findall(r'"document":\s?"([0-9a-f-]{36})"', shown))
    assert cited <= {one.document.id}


def test_another_scope_is_refused_by_every_tool_in_the_same_words(visitors: Visitors, house: House) -> None:
    one, other = house.dwellers[0], house.dwellers[2]
    for tool, arguments in TOOLS.items():
        told = {visitors.call(one, tool, workspace=name, **arguments) for name in (other.scope.workspace, "nowhere")}
        assert len(told) == 1
        assert "This key is for workspace 'w' and user 'ada'" in told.pop()


def test_what_is_counted_and_logged_names_nobody_and_nothing(
    visitors: Visitors, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    for one in house.dwellers:
        visitors.send(one, "GET", f"/v1/documents/{one.document.id}%0AInjected")
        visitors.send(one, "POST", "/v1/ask", json={"question": f"Is {one.secret} right?", "workflow": "x\ny"})
    told = visitors.send(house.dwellers[0], "GET", "/metrics").text + caplog.text
    assert "docmind_requests_total" in told
    for one in house.dwellers:
        names = (one.secret, one.document.id, one.document.name, one.run.run_id, THREAD, "Heron", "Injected", "ada")
        assert [name for name in names if name in told] == []
