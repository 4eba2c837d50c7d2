"""Models behind LangChain, over real HTTP: what comes back, and what each failure becomes."""

import asyncio
import gc
import sys
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from pathlib import Path

import pytest

from docmind.domain.budget import Usage
from docmind.domain.errors import ModelError
from docmind.models.chat.factory import open_chat
from docmind.models.chat.meter import Meter, MeteredChat, Retries
from docmind.models.chat.model import Message, Reply
from tests.openai_server import Server

AT_ONCE = Retries(attempts=3, first_wait_s=0)
ASKED = [Message("system", "Be brief."), Message("user", "Why?")]
SCHEMA = {"title": "Answer", "type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}


def complete(chat: MeteredChat, **options: object) -> Reply:
    return asyncio.run(chat.complete(ASKED, **options))  # type: ignore[arg-type]


def collect(chat: MeteredChat) -> list[str | Reply]:
    async def run() -> list[str | Reply]:
        return [item async for item in chat.stream(ASKED)]

    return asyncio.run(run())


def metered(chat_server: Server, timeout_s: float = 30.0) -> MeteredChat:
    return MeteredChat(open_chat(chat_server.url), Meter(), retries=AT_ONCE, timeout_s=timeout_s)


def test_a_reply_comes_with_what_the_provider_counted(chat_server: Server) -> None:
    chat_server.play(chat_server.says("Because."))
    chat = metered(chat_server)
    reply = complete(chat, max_tokens=50)
    assert (reply.text, reply.usage.model_calls, reply.usage.input_tokens, reply.usage.output_tokens) == (
        "Because.",
        1,
        7,
        3,
    )
    assert chat.meter.spent == reply.usage
    assert reply.usage.seconds > 0
    assert reply.usage.cost is None
    sent = chat_server.requests[0]
    assert sent["messages"] == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}]
    assert sent["max_completion_tokens"] == 50
    assert sent["temperature"] == 0


def test_a_cost_the_provider_reports_is_kept(chat_server: Server) -> None:
    chat_server.play(
        chat_server.says("Yes", usage={"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2, "cost": 0.125})
    )
    assert complete(metered(chat_server)).usage.cost == 0.125


def test_the_part_after_the_hash_names_the_model_at_an_address(chat_server: Server) -> None:
    chat_server.play(chat_server.says("Yes"))
    asyncio.run(open_chat(f"{chat_server.url}#large").complete(ASKED))
    assert chat_server.requests[0]["model"] == "large"


def test_a_password_in_an_address_is_used_and_never_shown(chat_server: Server) -> None:
    chat_server.play(chat_server.says("Yes"))
    chat = open_chat(f"{chat_server.url.replace('://', '://ada:s3cret@')}#large")
    assert chat.name == f"{chat_server.url}#large"
    assert asyncio.run(chat.complete(ASKED)).text == "Yes"


def test_a_stream_comes_piece_by_piece_and_ends_with_its_usage(chat_server: Server) -> None:
    chat_server.play(chat_server.streams("Be", "cause", "."))
    *pieces, reply = collect(metered(chat_server))
    assert pieces == ["Be", "cause", "."]
    assert isinstance(reply, Reply)
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("Because.", 5, 4)


def test_a_stream_that_is_broken_off_is_closed_to_its_last_generator(chat_server: Server) -> None:
    chat_server.play(chat_server.streams(*["word "] * 20_000))
    left_over: list[str] = []

    async def run() -> None:
        first, _ = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(first, lambda generator: left_over.append(str(generator)))
        async with aclosing(metered(chat_server).stream(ASKED)) as items:
            async for _ in items:
                break
        gc.collect()

    asyncio.run(run())
    assert left_over == []


def test_one_chat_serves_one_event_loop_after_another(chat_server: Server) -> None:
    chat_server.play(*[chat_server.says(f"{number}") for number in range(3)])
    chat = metered(chat_server)
    assert [complete(chat).text for _ in range(3)] == ["0", "1", "2"]


def test_too_many_requests_is_tried_again_and_each_try_is_counted(chat_server: Server) -> None:
    chat_server.play(chat_server.fails(429), chat_server.says("Now."))
    chat = metered(chat_server)
    assert complete(chat).text == "Now."
    assert chat.meter.spent.model_calls == len(chat_server.requests) == 2


def test_a_server_that_fails_three_times_is_given_up_with_its_usage(chat_server: Server) -> None:
    chat_server.play(*[chat_server.fails(500, "overloaded")] * 3)
    chat = metered(chat_server)
    with pytest.raises(ModelError, match="overloaded") as raised:
        complete(chat)
    assert raised.value.retryable
    assert raised.value.usage.model_calls == chat.meter.spent.model_calls == len(chat_server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_what_would_fail_again_is_not_tried_again(chat_server: Server, status: int) -> None:
    chat_server.play(chat_server.fails(status, "refused"))
    with pytest.raises(ModelError, match="refused") as raised:
        complete(metered(chat_server))
    assert not raised.value.retryable
    assert len(chat_server.requests) == 1


def test_a_server_that_hangs_is_left_after_the_timeout(chat_server: Server) -> None:
    chat_server.play(chat_server.hangs(), chat_server.hangs(), chat_server.hangs())
    chat = metered(chat_server, timeout_s=0.2)
    with pytest.raises(ModelError, match=r"did not answer within 0\.2 s") as raised:
        complete(chat)
    assert raised.value.retryable
    # A model that is cut off has read what it was sent.
    assert raised.value.usage.input_tokens > 0


def test_a_server_that_is_not_there_is_worth_another_try(chat_server: Server) -> None:
    chat = MeteredChat(open_chat("http://127.0.0.1:1/v1"), Meter(), retries=AT_ONCE)
    with pytest.raises(ModelError, match="failed") as raised:
        complete(chat)
    assert raised.value.retryable
    assert raised.value.usage.model_calls == 3


@pytest.mark.parametrize("streamed", [False, True])
def test_a_body_that_is_no_reply_is_an_error_and_not_an_answer(chat_server: Server, streamed: bool) -> None:
    chat_server.play(*[chat_server.talks_nonsense()] * 3)
    with pytest.raises(ModelError):
        collect(metered(chat_server)) if streamed else complete(metered(chat_server))


@pytest.mark.parametrize("abruptly", [True, False])
def test_half_a_stream_is_an_error_that_keeps_what_was_spent(chat_server: Server, abruptly: bool) -> None:
    chat_server.play(chat_server.streams_half("Half", " an", abruptly=abruptly), chat_server.streams("never asked"))
    chat = metered(chat_server)
    seen: list[str | Reply] = []

    async def run() -> None:
        async for item in chat.stream(ASKED):
            seen.append(item)

    with pytest.raises(ModelError) as raised:
        asyncio.run(run())
    assert seen == ["Half", " an"]
    assert raised.value.retryable
    # What was shown cannot be taken back, so the stream was not begun anew.
    assert len(chat_server.requests) == 1
    assert raised.value.usage.output_tokens > 0
    assert chat.meter.spent == raised.value.usage


def test_a_stream_that_fails_before_its_first_piece_is_begun_anew(chat_server: Server) -> None:
    chat_server.play(chat_server.fails(503), chat_server.streams("Fine"))
    assert collect(metered(chat_server))[0] == "Fine"


def test_no_clock_of_the_clients_own_cuts_a_slow_stream_off(
    chat_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGCHAIN_OPENAI_STREAM_CHUNK_TIMEOUT_S", "0.05")
    chat_server.play(chat_server.hesitates(0.3, chat_server.streams("Late")))
    assert collect(metered(chat_server))[0] == "Late"


@pytest.mark.parametrize(
    "asking", [complete, partial(complete, schema=SCHEMA), collect], ids=["whole", "by a schema", "streamed"]
)
def test_anthropic_is_told_which_part_of_a_prompt_to_keep(
    chat_server: Server, monkeypatch: pytest.MonkeyPatch, asking: Callable[[MeteredChat], object]
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_URL", chat_server.url.removesuffix("/v1"))
    chat_server.play(chat_server.fails(400, "busy"))
    chat = MeteredChat(open_chat("anthropic:claude", api_key="k"), Meter(), retries=AT_ONCE)
    with pytest.raises(ModelError, match="busy"):
        asking(chat)
    sent = chat_server.requests[0]
    assert sent["system"] == [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    assert sent["messages"] == [{"role": "user", "content": "Why?"}]


def test_the_schema_goes_to_a_provider_that_takes_one(chat_server: Server) -> None:
    chat_server.play(chat_server.says('{"yes": true}'))
    assert complete(metered(chat_server), schema=SCHEMA).text == '{"yes": true}'
    asked = chat_server.requests[0]["response_format"]
    assert asked["type"] == "json_schema"
    assert asked["json_schema"]["schema"]["required"] == ["yes"]


def test_a_provider_that_refuses_a_schema_is_asked_without_one_from_then_on(chat_server: Server) -> None:
    chat_server.play(chat_server.fails(400, "response_format"), chat_server.says("one"), chat_server.says("two"))
    chat = metered(chat_server)
    assert [complete(chat, schema=SCHEMA).text for _ in range(2)] == ["one", "two"]
    assert ["response_format" in request for request in chat_server.requests] == [True, False, False]
    assert chat.meter.spent.model_calls == 3


def test_a_request_that_is_refused_either_way_does_not_lose_the_schema(chat_server: Server) -> None:
    chat_server.play(
        chat_server.fails(400, "too long"), chat_server.fails(400, "too long"), chat_server.says('{"yes": true}')
    )
    chat = metered(chat_server)
    with pytest.raises(ModelError, match="too long"):
        complete(chat, schema=SCHEMA)
    complete(chat, schema=SCHEMA)
    assert ["response_format" in request for request in chat_server.requests] == [True, False, True]


def test_a_reply_under_a_schema_that_is_cut_off_says_so_and_keeps_its_usage(chat_server: Server) -> None:
    chat_server.play(chat_server.says('{"yes": tr', finish="length"))
    reply = complete(metered(chat_server), schema=SCHEMA)
    assert (reply.text, reply.truncated, reply.usage.tokens) == ('{"yes": tr', True, 10)


def test_half_a_surrogate_pair_is_sent_as_a_question_mark(chat_server: Server) -> None:
    chat_server.play(chat_server.says("Yes"))
    asyncio.run(open_chat(chat_server.url).complete([Message("user", "\ud800half")]))
    assert chat_server.requests[0]["messages"][0]["content"] == "?half"


def test_a_reply_without_a_count_is_estimated(chat_server: Server) -> None:
    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from docmind.models.chat.provider import ProviderChat

    chat = ProviderChat("fake:model", GenericFakeChatModel(messages=iter([AIMessage("Because.")])))
    reply = asyncio.run(chat.complete(ASKED))
    assert reply.usage == Usage(model_calls=1, input_tokens=6, output_tokens=4, cost=None)


@pytest.mark.parametrize("name", ["", "gpt", "openai:"])
def test_a_name_that_is_none_is_explained(name: str) -> None:
    with pytest.raises(ModelError, match=r"use 'provider:model'"):
        open_chat(name)


def test_a_provider_nobody_knows_is_refused() -> None:
    with pytest.raises(ModelError, match="nowhere:model cannot be opened"):
        open_chat("nowhere:model")


def test_a_missing_key_is_said_when_the_model_is_opened() -> None:
    with pytest.raises(ModelError, match="is its key set"):
        open_chat("openai:gpt-5-mini")


def test_a_missing_provider_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_mistralai", None)
    with pytest.raises(ModelError, match="langchain-mistralai"):
        open_chat("mistralai:claude-sonnet-4-5")


def test_a_file_of_weights_must_be_there_and_needs_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="no file of weights"):
        open_chat(f"gguf:{tmp_path / 'none.gguf'}")
    (tmp_path / "some.gguf").write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelError, match=r"docmind\[gguf\]"):
        open_chat(f"gguf:{tmp_path / 'some.gguf'}")
