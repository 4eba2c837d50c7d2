"""The chat model that plays a script behaves as the seam says."""

import asyncio

import pytest

from docmind.domain.errors import ModelError
from docmind.models.chat.model import Message, Reply
from docmind.models.chat.recording import Broken, ScriptedChat

ASKED = [Message("user", "Why?")]


def stream(chat: ScriptedChat) -> list[str | Reply]:
    async def run() -> list[str | Reply]:
        return [item async for item in chat.stream(ASKED)]

    return asyncio.run(run())


def test_lines_are_said_in_turn_and_then_no_more() -> None:
    chat = ScriptedChat(["one", "two"])
    assert [asyncio.run(chat.complete(ASKED)).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ModelError, match="no further reply"):
        asyncio.run(chat.complete(ASKED))
    assert chat.calls == 3
    assert chat.requests[0] == tuple(ASKED)


def test_a_function_answers_by_the_messages() -> None:
    chat = ScriptedChat(lambda messages: messages[-1].content.upper())
    assert asyncio.run(chat.complete(ASKED)).text == "WHY?"


def test_the_pieces_of_a_stream_are_the_whole_text() -> None:
    *pieces, reply = stream(ScriptedChat([" two  spaces\nand a line "]))
    assert isinstance(reply, Reply)
    assert "".join(map(str, pieces)) == reply.text == " two  spaces\nand a line "


def test_half_a_reply_is_streamed_and_dies() -> None:
    with pytest.raises(ModelError, match="broke off"):
        stream(ScriptedChat([Broken("half a")]))
    with pytest.raises(ModelError, match="broke off"):
        asyncio.run(ScriptedChat([Broken("half a")]).complete(ASKED))


def test_a_reply_longer_than_its_limit_is_cut_off() -> None:
    reply = asyncio.run(ScriptedChat(["abcdefgh"]).complete(ASKED, max_tokens=2))
    assert (reply.text, reply.truncated, reply.usage.output_tokens) == ("abcdef", True, 2)
