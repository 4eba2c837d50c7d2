"""Somebody who follows a page from top to bottom, with the examples at hand and an installation of their own."""

import ast
import asyncio
import inspect
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from string import Template
from typing import NamedTuple

import pytest

from docmind.cli.main import run
from docmind.runtime.graphs import default_engine
from tests.docs.pages import Command
from tests.openai_server import Handler, Server, Turn, served

ADDRESS = "127.0.0.1:8000"
MODEL = "http://127.0.0.1:8001/v1"
"""Where a page has a chat model; here one that plays its part."""
QUIETLY = "curl --silent --show-error --fail-with-body "
TOLD = {
    "RUN": re.compile(r'(?:"run_id":"|docmind runs resume )(?P<told>[\w-]++)'),
    "KEY": re.compile(r"\b(?P<told>dm_[\w-]++)"),
}
"""What a page calls `$RUN` and `$KEY`: those that were last told of."""


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


class Reader:
    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        """What the page calls by a name: `$RUN`."""
        self._service: tuple[subprocess.Popen[str], str] | None = None
        self._open = ExitStack()
        self._model: Server | None = None

    def follow(self, command: Command) -> Outcome:
        told = self._run(self._with_model(command.line), command.typed)
        if self._model:
            told = Outcome(told.code, *(text.replace(self._model.url, MODEL) for text in told[1:]))
        for variable, telling in TOLD.items():
            for found in telling.finditer(told.out):
                self._known[variable] = found["told"]
        return told

    def program(self, code: str) -> None:
        """In this process, as `python -m asyncio` and notebooks do, where a program may await at its top."""
        found = eval(compile(code, "page", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), {"__name__": "page"})
        if inspect.iscoroutine(found):
            asyncio.run(found)
        if default_engine.cache_info().currsize:
            # It stays open for as long as a program runs, and this one has ended.
            default_engine().close()
            default_engine.cache_clear()

    def leave(self) -> None:
        """Stop the service as one does, and the model."""
        self._open.close()
        if self._service:
            process, _ = self._service
            process.send_signal(signal.SIGINT)
            assert process.communicate() == ("Stopped.\n", "")
            assert process.returncode == 0

    def _with_model(self, line: str) -> str:
        """The line with the address of a model that is there."""
        if MODEL not in line:
            return line
        if self._model is None:
            self._model = self._open.enter_context(served())
            self._model.play(plays_its_part(self._model))
        return line.replace(MODEL, self._model.url)

    def _run(self, line: str, typed: list[str]) -> Outcome:
        line = Template(line).safe_substitute(self._known)
        words = [os.path.expanduser(word) for word in shlex.split(line, comments=True)]  # noqa: PTH111 - words, not paths
        match words:
            case ["docmind", "serve", *rest]:
                return self._serve(rest)
            case ["docmind", *rest]:
                return _docmind(rest, typed)
            case ["curl", *_]:
                assert self._service, "the page asks before it serves"
                if not can_curl():
                    pytest.skip("needs curl 7.82 or newer, which knows --json")
                asked = line.replace(ADDRESS, self._service[1]).replace("curl ", QUIETLY, 1)
                done = subprocess.run(asked, shell=True, capture_output=True, text=True, check=False)
                return Outcome(done.returncode, done.stdout, done.stderr)
            case _:
                raise AssertionError(f"no reader can follow {line!r} here")

    def _serve(self, options: list[str]) -> Outcome:
        """On a port that is free; what it prints is told with the one that the page means."""
        command = [str(Path(sys.executable).with_name("docmind")), "serve", "--port", "0", *options]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout
        announced = process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)", announced)
        assert found, announced
        self._service = process, found[1]
        return Outcome(0, announced.replace(found[1], ADDRESS), "")


def plays_its_part(server: Server) -> Turn:
    """A model that answers the question of the tutorial as a good one would, whatever part of it is asked for."""
    replies = {
        '"not_borne_out"': json.dumps({"not_borne_out": []}),
        "capital of France": json.dumps({"city": "Paris"}),
        '"sub_queries"': json.dumps({"intent": "lookup", "sub_queries": ["When does production in Ostrava start?"]}),
    }
    passage = re.compile(r"\[(\d+)\](?:(?!\[\d+\]).)*?Production starts on 1 October 2027", re.DOTALL)

    def turn(handler: Handler) -> None:
        asked = json.dumps(handler.request_body, ensure_ascii=False)
        told = "\n".join(str(message["content"]) for message in handler.request_body["messages"])
        found = passage.search(told)
        written = f"Production in Ostrava starts on 1 October 2027 with one shift [{found[1] if found else 1}]."
        reply = next((reply for words, reply in replies.items() if words.replace('"', "") in asked), written)
        server.says(reply)(handler)

    return turn


@cache
def can_curl() -> bool:
    if shutil.which("curl") is None:
        return False
    return subprocess.run(["curl", "--json", "{}", "--version"], capture_output=True, check=False).returncode == 0


def _docmind(words: list[str], typed: list[str]) -> Outcome:
    """In this process: it starts forty times as the pages are read."""
    with _captured("".join(f"{line}\n" for line in typed)) as (out, err):
        code = run(words)
    return Outcome(code, out.getvalue(), err.getvalue())


@contextmanager
def _captured(typed: str) -> Iterator[tuple[io.StringIO, io.StringIO]]:
    out, err, keyboard = io.StringIO(), io.StringIO(), sys.stdin
    with redirect_stdout(out), redirect_stderr(err):
        sys.stdin = io.StringIO(typed)
        try:
            yield out, err
        finally:
            sys.stdin = keyboard


def fits(printed: list[str], outcome: Outcome) -> bool:
    """Whether a page shows what was printed, whatever stands where it has `…`, or nothing of it; how lines break does
    not matter."""
    shown = [re.escape(_plain(part)) for part in "\n".join(printed).split("…")]
    pattern = re.compile(".*?".join(shown), re.DOTALL)
    return not printed or any(pattern.fullmatch(_plain(text)) for text in (outcome.out, outcome.err))


def _plain(text: str) -> str:
    # The last digits of a probability differ between processors, and so may its word and the place of a passage.
    return re.sub(r"Confidence:[a-z]+,\d+%|\d+%|\[\d+\]", "n", "".join(text.split()))
