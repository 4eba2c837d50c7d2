"""`docmind serve` as a process of its own, and what a client asks of it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

from docmind.domain.errors import BenchError

_PROGRAM = "from docmind.cli.main import main; main()"
_LONGEST_ANSWER_S = 120


@contextmanager
def served(data_dir: Path, embedder: str, *, is_ready: bool = True) -> Iterator[str]:
    """The address of a service over the stores in `data_dir`, whatever the environment says of others; once it is
    ready to answer, unless it is wanted as soon as it is there."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DOCMIND_")}
    settings = {"DOCMIND_DATA_DIR": str(data_dir), "DOCMIND_MODELS__EMBEDDER": embedder}
    command = [sys.executable, "-c", _PROGRAM, "serve", "--port", "0"]
    with announced(command, kept | settings) as address:
        if is_ready:
            with urlopen(f"{address}/readyz") as answer:  # noqa: S310 - our own service
                answer.read()
        yield address


@contextmanager
def announced(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """The address that a program prints when it is started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603 - our own program
        try:
            said = process.stdout.readline() if process.stdout else ""
            address = next((word for word in said.split() if word.startswith("http://")), None)
            if address is None:
                raise BenchError("The service did not start; what it said is above.")
            yield address
        finally:
            process.terminate()


@contextmanager
def client(address: str) -> Iterator["Client"]:
    """One person at the service, with a connection of their own."""
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=_LONGEST_ANSWER_S)) as connection:
        yield Client(connection)


class Client:
    def __init__(self, connection: HTTPConnection) -> None:
        self._connection = connection

    def ask(self, question: str, workspace: str) -> dict[str, Any]:
        """The answer of the docs workflow."""
        return self._post("/v1/ask", {"question": question, "workspace": workspace})

    def search(self, query: str, workspace: str) -> list[dict[str, Any]]:
        """The hits, the most relevant first."""
        hits: list[dict[str, Any]] = self._post("/v1/search", {"query": query, "workspace": workspace})["hits"]
        return hits

    def _post(self, path: str, asked: dict[str, str]) -> dict[str, Any]:
        """What the service gives, or a `BenchError` with what it said instead."""
        self._connection.request("POST", path, json.dumps(asked), {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        content: dict[str, Any] = json.loads(response.read())
        if response.status != 200:
            raise BenchError(f"The service answered {response.status}: {content.get('detail')}")
        return content
