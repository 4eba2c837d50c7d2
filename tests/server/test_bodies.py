import asyncio
import socket
from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message

from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.server.middleware import BodyDrain
from docmind.settings import ServerSettings

JSON = {"Content-Type": "application/json"}
MOST = ServerSettings().body_kb << 10


def test_a_body_of_the_largest_size_is_read(service: httpx.Client) -> None:
    assert service.post("/v1/search", content=b'{"query": "Halden"}'.ljust(MOST), headers=JSON).status_code == 200


def test_a_body_larger_than_that_is_refused_whether_or_not_it_says_so(service: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(MOST // 1024 + 1):
            yield b" " * 1024

    for content in (b" " * (MOST + 1), pieces()):
        refused = service.post("/v1/search", content=content, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (413, "body_too_large")
        assert refused.json()["detail"] == "The body may have 1,048,576 bytes at most."


def test_a_client_that_is_answered_before_its_body_is_read_gets_the_whole_answer(engine: DocMind, serving: Any) -> None:
    app = create_app(engine)

    @app.post("/broken")
    async def broken() -> None:
        raise ZeroDivisionError

    with serving(app) as client:
        address = (client.base_url.host, client.base_url.port)
        with socket.create_connection(address) as connection, connection.makefile("rb") as answer:
            connection.sendall(b"POST /broken HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n")
            assert answer.readline() == b"HTTP/1.1 500 Internal Server Error\r\n"
            connection.sendall(b"body")
            assert answer.read().endswith(b'"code":"internal_error"}')


def exchanged(pieces: Iterator[Message], headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
    """What passes between a server and an application that answers without reading the body."""
    passed = []

    async def receive() -> Message:
        passed.append("receive")
        return next(pieces)

    async def send(message: Message) -> None:
        passed.append("end" if message.keys() == {"type"} else message["type"].rpartition(".")[2])

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    asyncio.run(BodyDrain(PlainTextResponse("No."))(scope, receive, send))
    return passed


def piece(*, more: bool) -> Message:
    return {"type": "http.request", "body": b"1234", "more_body": more}


LENGTH = (b"content-length", b"8")


def test_what_is_left_of_a_body_is_read_once_the_answer_was_sent() -> None:
    body = iter([piece(more=True), piece(more=False)])
    assert exchanged(body, [LENGTH]) == ["start", "body", "receive", "receive", "end"]


def test_a_client_that_goes_away_is_not_waited_for() -> None:
    assert exchanged(iter([{"type": "http.disconnect"}]), [LENGTH]) == ["start", "body", "receive", "end"]


def test_a_body_that_does_not_end_is_not_read_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docmind.server.middleware.DRAINED_BYTES", 12)
    endless = cycle([piece(more=True)])
    assert exchanged(endless, [(b"transfer-encoding", b"chunked")]) == ["start", "body", *["receive"] * 3, "end"]


@pytest.mark.parametrize("headers", [[], [LENGTH, (b"expect", b"100-continue")]])
def test_a_body_that_is_not_coming_is_not_waited_for(headers: list[tuple[bytes, bytes]]) -> None:
    assert exchanged(iter([]), headers) == ["start", "body"]
