"""The service over real HTTP on loopback: one for all tests that only ask, others for what can go wrong."""

import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from docmind.domain.scope import Scope
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import ChatModel
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app, create_server
from docmind.settings import IngestSettings, ModelSettings, ServerSettings, Settings
from tests.stores import copied

MINUTES = """# Minutes of the board — 2024 ⚖️

## Decisions

The board approved the purchase of the Halden mill for 14.2 million euros 💶.
The naïve forecast of the café was rejected.

## Risks

Energy prices at Halden rose by a third last winter.
"""
PRICES = "item,price in euros\nOak board,48\nPine board,19\n"
DIARY = "# Diary\n\nI think the Halden mill is overpriced.\n"
PLAN = "# Plan of the other workspace\n\nThe Halden mill is to be closed.\n"


Serving = Callable[[FastAPI], AbstractContextManager[httpx.Client]]


@contextmanager
def _serving(app: FastAPI) -> Iterator[httpx.Client]:
    """A client of the application, which runs as it does in the product; the test's own time limit ends its waits."""
    server = create_server(app)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            with httpx.Client(base_url=address, timeout=None, trust_env=False) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture(scope="session")
def serving() -> Serving:
    """Serve any application while a test goes on."""
    return _serving


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """Two shared documents, one of alice's and one in another workspace."""
    root = tmp_path_factory.mktemp("library")
    with DocMind(
        Settings(data_dir=root / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))
    ) as engine:
        for scope, files in {
            Scope("default"): {"minutes.md": MINUTES, "prices.csv": PRICES},
            Scope("default", "alice"): {"diary.md": DIARY},
            Scope("other"): {"plan.md": PLAN},
        }.items():
            engine.ingest([write(root / f"{scope.workspace}-{scope.user}", files)], scope)
        yield engine


@pytest.fixture(scope="session")
def service(library: DocMind, serving: Serving) -> Iterator[httpx.Client]:
    with serving(create_app(library)) as client:
        yield client


def write(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read one document, made once."""
    root = tmp_path_factory.mktemp("stock")
    with DocMind(
        Settings(data_dir=root / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))
    ) as engine:
        engine.ingest([write(root / "papers", {"minutes.md": MINUTES})], Scope("default"))
    return root / "data"


@pytest.fixture
def opened(stock: Path, settings: Settings) -> Iterator[Callable[..., DocMind]]:
    """Opens a copy of it, with a chat model or settings of a test's own."""
    with ExitStack() as engines:

        def open_engine(chat: ChatModel | None = None, **server: Any) -> DocMind:
            copied(stock, settings.home)
            chosen = settings.model_copy(update={"server": ServerSettings(**server)})
            return engines.enter_context(DocMind(chosen, roles=Roles(writer=chat, retries=Retries(first_wait_s=0))))

        yield open_engine


def events_of(lines: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Server-sent events as clients read them: the name of each, and its data."""
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def eventually(holds: Callable[[], Any]) -> Any:
    """What `holds` gives as soon as it is true; the test's own time limit ends the wait."""
    while not (found := holds()):
        time.sleep(0.02)
    return found
