"""Names and questions as attacks: each is refused in a sentence or taken for what it is, through every door."""

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextContent

from docmind.cli.conversation import Conversation
from docmind.corpus.search import MAX_QUERY_CHARS
from docmind.domain.answers import Status
from docmind.domain.errors import DocMindError, InvalidQuery, InvalidScope, NotFound
from docmind.domain.scope import Role, Scope
from docmind.memory.run import thread_name
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from tests.abuse.conftest import SCOPES

# Whoever hangs is stopped long before the limit of the whole suite.
pytestmark = pytest.mark.timeout(300)

ATTACKS = (
    "' OR '1'='1", "'; DROP TABLE runs; --", "../../etc/passwd", "/etc/passwd", "%2e%2e", "$(id)", "`id`", "; ls",
    "|id", "{0.__class__}", "%s%n", "${jndi:x}", "a\0b", "a\nb", "\x1b[2J", "\u202egnp.exe", "a\u200bb", "", " ",
    "a" * 1_000_000, "\ud800", "wörk", "ｗ", "w ", "-w", ".", "..", "%", "_", "*", "w/ada", "w\\ada", "𝗐", "ⅼ", "а",
)  # fmt: skip
"""As SQL, a path, a shell's and a formatter's words; invisible, endless, no text, or looking like another name."""
LONG = "why " * 250_000
QUESTIONS = (
    "?", "!!! ... ???", "💣💣💣", "\0\0x", "a\ud800b", "(" * 5_000, "a?" * 5_000, "[1] [2] [3]", "((a+)+)+$" * 500,
    "\u202ewhat", "e\u0301" * 4_000, "<script>alert(1)</script>", "{question} %s {0}", "what " * 1_900, "1" * 9_000,
    ", and " * 1_500, "he's " * 1_900, "\n" * 9_000 + "x", "../../etc/passwd", "'; DROP TABLE runs; --",
)  # fmt: skip
WORKFLOWS = ("docs", "strategy", "finance", "chat")


@pytest.fixture(scope="module")
def client(engine_of_house: DocMind, serving: Any) -> Iterator[httpx.Client]:
    with serving(create_app(engine_of_house)) as opened:
        yield opened
    engine_of_house.keys.forget()


def refusal(attempt: Callable[[], Any]) -> str:
    """What somebody is told who tries; nothing where they succeed."""
    try:
        attempt()
    except DocMindError as error:
        return str(error)
    return ""


@given(name=st.one_of(st.sampled_from(ATTACKS), st.text(), st.from_regex(r"[\w.@-]{1,70}")))
def test_a_name_of_a_workspace_or_user_is_plain_ascii_or_refused(name: str) -> None:
    for named in ({"workspace": name}, {"workspace": "w", "user": name}):
        told = refusal(lambda named=named: Scope(**named))  # type: ignore[misc]
        assert told.isprintable()
        assert len(told) < 600
        assert told or (name.isascii() and name.isprintable() and name[0].isalnum() and not set("/\\ %'*;") & set(name))


@given(name=st.one_of(st.sampled_from(ATTACKS), st.text()))
def test_a_name_of_a_thread_can_be_seen_and_typed_or_is_refused(name: str) -> None:
    told = refusal(lambda: thread_name(name))
    assert told.isprintable()
    assert len(told) < 600
    assert told or (name.strip() and "/" not in name and len(name) <= 200 and not {"\n", "\0", "\u202e"} & set(name))


def test_no_id_or_name_is_more_than_not_there_to_the_engine(engine_of_house: DocMind) -> None:
    engine, scope = engine_of_house, SCOPES[0]
    before = [len(engine.documents(scope)), len(engine.runs(scope)), len(engine.threads(scope)), len(engine.keys.all())]
    for attack in ATTACKS:
        for reach in (engine.document, engine.find_run, engine.find_thread, engine.replay, engine.delete_run):
            with pytest.raises(NotFound) as refused:
                reach(attack, scope)
            assert len(str(refused.value)) < 600
        with pytest.raises(NotFound):
            engine.delete_thread(attack, scope)
        with pytest.raises(NotFound):
            engine.keys.revoke(attack)
        with pytest.raises((NotFound, InvalidScope)):
            engine.delete_workspace(attack)
        assert engine.keys.find(f"dm_{attack}_{attack}") is None
    after = [len(engine.documents(scope)), len(engine.runs(scope)), len(engine.threads(scope)), len(engine.keys.all())]
    assert after == before


def test_no_id_or_name_upsets_the_service(client: httpx.Client) -> None:
    for attack in ATTACKS:
        name = attack[:20_000]
        sent = httpx.QueryParams({"workspace": "w", "user": "ada"})
        quoted = "".join(f"%{byte:02X}" for byte in name.encode("utf-8", "surrogatepass"))
        answers = [
            client.get(f"/v1/documents/{quoted}", params=sent),
            client.get(f"/v1/runs/{quoted}", params=sent),
            client.get(f"/v1/threads/{quoted}", params=sent),
            client.delete(f"/v1/workspaces/{quoted}"),
            client.get(f"/v1/documents?workspace={quoted}"),
        ]
        thread = name.encode("utf-8", "replace").decode()
        if refusal(lambda thread=thread: thread_name(thread)):  # type: ignore[misc]
            answers.append(client.post("/v1/ask", json={"question": "x", "workflow": "chat", "thread": thread}))
            assert answers[-1].status_code == 422
        for answer in answers:
            assert answer.status_code in (200, 404, 405, 422), (name[:40], answer.request.url)
            assert len(answer.content) < 5_000
            assert "\x1b" not in answer.text


def test_an_endless_question_is_refused_at_once_by_every_workflow_and_door(
    engine_of_house: DocMind, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    engine, scope = engine_of_house, SCOPES[0]
    most = f"characters; the most is {MAX_QUERY_CHARS:,}."
    for workflow in WORKFLOWS:
        with pytest.raises(InvalidQuery, match=most):
            engine.run(LONG, scope, workflow=workflow)
    with pytest.raises(InvalidQuery, match=most):
        engine.search(LONG, scope)
    with pytest.raises(InvalidQuery, match="at most 100,000 can be checked at once"):
        engine.check(LONG, scope)
    with pytest.raises(InvalidQuery, match=f"The answer has 999,999 {most}"):
        engine.resume(engine.runs(scope)[0].id, scope, LONG)
    sent = LONG[:1_000_000]
    told = [
        client.post("/v1/ask", json={"question": sent}).text,
        client.post("/v1/search", json={"query": sent}).text,
        client.post(
            "/v1/chat/completions", json={"model": "docs", "messages": [{"role": "user", "content": sent}]}
        ).text,
    ]
    assert all(most in each for each in told)
    history = [{"role": "user", "content": "x" * 200_000}] * 6 + [{"role": "user", "content": "What is the budget?"}]
    refused = client.post("/v1/chat/completions", json={"model": "docs", "messages": history})
    assert refused.json()["code"] == "body_too_large"

    async def tools() -> list[str]:
        async with (
            httpx2.AsyncClient(trust_env=False, timeout=None) as http,
            Client(streamable_http_client(f"{str(client.base_url).rstrip('/')}/mcp", http_client=http)) as mcp,
        ):
            called = [await mcp.call_tool("ask", {"question": sent}), await mcp.call_tool("search", {"query": sent})]
        return [one.content[0].text for one in called if isinstance(one.content[0], TextContent)]

    assert all(most in each for each in anyio.run(tools))
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{LONG}\n/{LONG}\n"))
    Conversation(engine, scope, "long", simple=False, with_trace=False).hold(lambda: "new")
    assert most in capfd.readouterr().err


@settings(max_examples=16, suppress_health_check=[HealthCheck.too_slow])
@given(
    question=st.one_of(st.sampled_from(QUESTIONS), st.text(max_size=60)),
    workflow=st.sampled_from(WORKFLOWS),
    thread=st.sampled_from([None, "odd"]),
)
def test_any_question_is_answered_or_refused(
    engine_of_house: DocMind, question: str, workflow: str, thread: str | None
) -> None:
    thread = thread if workflow in ("chat", "finance") else None
    run = partial(engine_of_house.run, question, SCOPES[2], workflow=workflow, thread=thread)
    if not question.replace("\0", "").strip():
        with pytest.raises(InvalidQuery, match="empty"):
            run()
    else:
        assert run().status is not Status.FAILED


def test_a_key_is_no_more_than_it_says_whatever_is_sent_as_one(engine_of_house: DocMind, client: httpx.Client) -> None:
    _, token = engine_of_house.keys.create(Role.READER, workspace="w", user="ada")
    prefix, key_id, secret = token.split("_", 2)
    wrong = (
        f"{prefix}_{key_id}_",
        f"{prefix}_{key_id}_{secret[:-1]}",
        f"{prefix}_%_{secret}",
        f"xx_{key_id}_{secret}",
        "' OR 1",
    )
    for sent in wrong:
        refused = client.get("/v1/me", headers={"Authorization": f"Bearer {sent}"})
        assert (refused.status_code, refused.json()["detail"]) == (401, "This key is unknown or has been revoked.")
    assert client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).json()["user"] == "ada"
