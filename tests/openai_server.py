"""A server that speaks OpenAI's protocol on a loopback address and answers each request by a script."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Turn = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    server: "Server"
    protocol_version = "HTTP/1.1"
    request_body: dict[str, Any]

    def do_POST(self) -> None:
        self.request_body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(self.request_body)
        with suppress(ConnectionError):
            self.server.turn()(self)

    def send(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Tests print nothing."""


class Server(ThreadingHTTPServer):
    """Plays its turns, one a request, the last of them again and again, and keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.turns: list[Turn] = []
        self.requests: list[dict[str, Any]] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def play(self, *turns: Turn) -> None:
        self.turns = list(turns)

    def turn(self) -> Turn:
        return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]

    def says(self, text: str, *, finish: str = "stop", usage: dict[str, Any] | None = None) -> Turn:
        """The text, whole or as a stream, whichever was asked for."""
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        told = usage or {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": told}
        streamed = self.streams(text)

        def turn(handler: Handler) -> None:
            if handler.request_body.get("stream"):
                streamed(handler)
            else:
                handler.send(200, json.dumps(whole).encode())

        return turn

    def fails(self, status: int, message: str = "no", **headers: str) -> Turn:
        body = json.dumps({"error": {"message": message}}).encode()
        return lambda handler: handler.send(status, body, **headers)

    def talks_nonsense(self) -> Turn:
        return self.sends("<html>not what you asked for", kind="text/html")

    def sends(self, body: str, kind: str = "application/json") -> Turn:
        """These very characters, with the status of success."""
        return lambda handler: handler.send(200, body.encode(), kind=kind)

    def hangs(self) -> Turn:
        def turn(handler: Handler) -> None:
            self.closing.wait(60)

        return turn

    def hesitates(self, seconds: float, then: Turn) -> Turn:
        def turn(handler: Handler) -> None:
            self.closing.wait(seconds)
            then(handler)

        return turn

    def streams(self, *pieces: str) -> Turn:
        def turn(handler: Handler) -> None:
            events = [*map(_piece, pieces), _chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}]), _USAGE]
            body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
            handler.send(200, body.encode(), kind="text/event-stream")

        return turn

    def streams_half(self, *pieces: str, abruptly: bool) -> Turn:
        """Closes the connection in mid-reply: with more bytes promised, or as if that had been all."""

        def turn(handler: Handler) -> None:
            body = "".join(f"data: {json.dumps(_piece(piece))}\n\n" for piece in pieces).encode()
            handler.send_response(200)
            handler.send_header("Content-Type", "text/event-stream")
            if abruptly:
                handler.send_header("Content-Length", str(len(body) + 100))
            handler.send_header("Connection", "close")
            handler.end_headers()
            handler.wfile.write(body)
            handler.close_connection = True

        return turn


def _chunk(choices: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": choices, **more}


def _piece(text: str) -> dict[str, Any]:
    return _chunk([{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}])


_USAGE = _chunk([], usage={"prompt_tokens": 5, "completion_tokens": 4, "total_tokens": 9})


@contextmanager
def served() -> Iterator[Server]:
    with Server() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield opened
        opened.closing.set()
        opened.shutdown()
        thread.join()


@pytest.fixture
def chat_server() -> Iterator[Server]:
    with served() as opened:
        yield opened
