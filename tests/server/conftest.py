"""The service over real HTTP on loopback: one for all tests that only ask, others for what can go wrong."""

import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Thread

import httpx
import pytest
from fastapi import FastAPI

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app, create_server
from docmind.settings import IngestSettings, ModelSettings, Settings

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
    """A client of the application, which runs as it does in the product."""
    server = create_server(app)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
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
