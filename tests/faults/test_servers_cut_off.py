"""Qdrant and PostgreSQL that cannot be reached any more in the middle of something, and then can be again."""

import select
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from docmind.corpus.catalogue import Catalogue
from docmind.domain.answers import Status
from docmind.domain.errors import StoreUnavailable
from docmind.domain.scope import Scope
from docmind.memory.run import RunState
from docmind.runtime.engine import DocMind
from docmind.settings import DatabaseSettings, IndexSettings
from docmind.workflows.step import Step
from tests.faults.scenarios import RECEIPTS, settings

pytestmark = pytest.mark.services


class Door:
    """Stands before a server: shut, every connection to it breaks off, and nobody answers at its address."""

    def __init__(self, host: str, port: int) -> None:
        self._behind = host, port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []
        self._enter()

    def shut(self) -> None:
        self._listener.close()
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._sockets.clear()

    def open(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._enter()

    def _enter(self) -> None:
        threading.Thread(target=self._serve, args=[self._listener], daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        with suppress(OSError, ValueError):
            while True:
                # A thread that waits in `accept` would keep the address after it was closed.
                if not select.select([listener], [], [], 0.05)[0]:
                    continue
                inside, outside = listener.accept()[0], socket.create_connection(self._behind)
                self._sockets += inside, outside
                for one, other in ((inside, outside), (outside, inside)):
                    threading.Thread(target=_pour, args=[one, other], daemon=True).start()


def _pour(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextmanager
def door_to(url: str) -> Iterator[tuple[Door, str]]:
    address = urlsplit(url)
    door = Door(address.hostname or "", address.port or 0)
    yield door, url.replace(f":{address.port}", f":{door.port}", 1)
    door.shut()


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    (folder / "soup.md").write_text("# Cafeteria\n\nThe cafeteria serves soup from eleven to two.\n")
    return folder


@pytest.fixture
def scope() -> Scope:
    return Scope(f"w-{uuid.uuid4().hex[:12]}")


@pytest.fixture(params=["qdrant", "postgres"])
def shared(
    request: pytest.FixtureRequest, qdrant_url: str, postgres_url: str, tmp_path: Path
) -> Iterator[tuple[DocMind, Door, str]]:
    """An engine on both servers, the door before one of them, and how that one is called."""
    with ExitStack() as opened:
        urls = {"qdrant": qdrant_url, "postgres": postgres_url}
        door, urls[request.param] = opened.enter_context(door_to(urls[request.param]))
        servers: dict[str, Any] = {
            "index": IndexSettings(url=urls["qdrant"]),
            "database": DatabaseSettings(url=urls["postgres"]),
        }
        engine = opened.enter_context(DocMind(settings(tmp_path / "data").model_copy(update=servers)))
        yield engine, door, {"qdrant": "The Qdrant server", "postgres": "cannot be used"}[request.param]


def shutting(patch: pytest.MonkeyPatch, door: Door, owner: type, method: str) -> Callable[[], None]:
    """Shut the door when the method is first called; gives what opens it again."""
    original = getattr(owner, method)

    def shut(*arguments: Any, **options: Any) -> Any:
        patch.setattr(owner, method, original)
        door.shut()
        return original(*arguments, **options)

    patch.setattr(owner, method, shut)
    return door.open


@pytest.mark.fault(
    "server stops",
    "A Qdrant server, and PostgreSQL, in the middle of an ingest",
    left="No half document",
    seen="“… does not answer” or “… cannot be used”, with the server; ingesting again brings everything in, once",
)
def test_an_ingest_that_loses_its_server_shows_nothing_half_and_is_finished_by_the_next(
    shared: tuple[DocMind, Door, str], papers: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, door, called = shared
    engine.ingest([papers / "soup.md"], scope)
    reopen = shutting(monkeypatch, door, Catalogue, "begin")
    with pytest.raises(StoreUnavailable, match=called):
        engine.ingest([papers], scope)
    reopen()
    assert [document.name for document in engine.documents(scope)] == ["soup.md"]
    report = engine.ingest([papers], scope)
    assert (report.added, report.unchanged) == (1, 1)
    documents = engine.documents(scope)
    assert engine.index.count(scope.workspace) == sum(document.passages for document in documents) == 2
    assert "ten years" in engine.search("receipts", scope)[0].passage.text


@pytest.mark.fault(
    "server stops",
    "A Qdrant server, and PostgreSQL, in the middle of a run",
    left="The run, at its last finished node",
    seen="“… does not answer” or “… cannot be used”, with the server; resuming goes on to the answer",
)
def test_a_run_that_loses_its_server_goes_on_when_it_is_back(
    shared: tuple[DocMind, Door, str], papers: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, door, called = shared
    engine.ingest([papers], scope)
    reopen = shutting(monkeypatch, door, Step, "decided")
    with pytest.raises(StoreUnavailable, match=called):
        engine.run(RECEIPTS, scope)
    reopen()
    (left,) = engine.runs(scope)
    assert left.state is RunState.STOPPED
    result = engine.resume(left.id, scope)
    assert (result.status, result.run_id) == (Status.ANSWERED, left.id)
    assert "ten years" in result.answer
    assert engine.replay(left.id, scope).difference is None
