"""Every test starts from nothing: an empty home, no choices or keys in the environment, no network but loopback."""

import ipaddress
import os
import shutil
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

import docmind

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind
    from docmind.settings import Settings

pytest_plugins = ("tests.openai_server",)

# What a program needs to run at all. Named one by one, because nobody can list every provider's key.
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
HOMES = {"HOME": "", "XDG_CONFIG_HOME": ".config", "XDG_CACHE_HOME": ".cache", "XDG_DATA_HOME": ".local/share"}
SERVICES = {name: os.environ.get(f"DOCMIND_TEST_{name}_URL") for name in ("QDRANT", "POSTGRES", "CHAT", "RAY")}
"""Where `make test-services` says its servers are: for the fixtures that reach them, not for the product."""

# A busy machine is no defect of the code. Examples follow from the test alone: where it fails, something was changed.
# `pytest --hypothesis-profile thorough` tries more of them.
hypothesis.settings.register_profile("docmind", deadline=None, database=None, derandomize=True, max_examples=40)
hypothesis.settings.register_profile("thorough", hypothesis.settings.get_profile("docmind"), max_examples=400)
hypothesis.settings.load_profile("docmind")

# Stores write to disk whatever must not be lost. In memory, where there is enough of it, nothing waits for that.
MEMORY, ENOUGH_MEMORY = Path("/dev/shm"), 8 << 30
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


LONGEST = ("faults/", "docs/", "workflows/", "runtime/", "cli/", "quality/", "bench/", "abuse/", "corpus/", "server/")
"""The folders whose files take longest. They are begun with, so that at the end no worker waits for another."""

READ_BEFORE = 1 << 15
"""Pairs of texts whose reading a worker remembers: many tests ask about the same examples, and reading them is most of
what a question takes."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    root = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(root).as_posix() if item.path.is_relative_to(root) else ""
        return next((number for number, folder in enumerate(LONGEST) if path.startswith(folder)), len(LONGEST))

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def _hermetic_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name not in KEPT and not name.startswith("PYTEST_"):
                patch.delenv(name)
        # The installed package may be of another checkout, which somebody is changing at this moment.
        patch.setenv("PYTHONPATH", str(Path(docmind.__file__).parents[1]))
        _move_home(patch, tmp_path_factory.mktemp("home"))
        _refuse_network(patch)
        patch.setattr("docmind.models.reader.REMEMBERED._most", READ_BEFORE)
        yield


@pytest.fixture(autouse=True)
def _hermetic_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("DOCMIND_"):
            monkeypatch.delenv(name)
    _move_home(monkeypatch, tmp_path / "home")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def settings(tmp_path: Path) -> "Settings":
    """An installation of its own, with the embedder that starts fastest.

    One reader: on a few short papers, starting more takes longer than reading does.
    """
    from docmind.settings import IngestSettings, ModelSettings, Settings

    return Settings(
        data_dir=tmp_path / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )


@pytest.fixture
def engine(settings: "Settings") -> Iterator["DocMind"]:
    from docmind.runtime.engine import DocMind

    with DocMind(settings) as opened:
        yield opened


@pytest.fixture(scope="session")
def qdrant_url() -> str:
    pytest.importorskip("qdrant_client", reason="needs pip install 'docmind[qdrant]'")
    return SERVICES["QDRANT"] or pytest.skip("needs a Qdrant server: run `make test-services`")


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """A PostgreSQL database with nothing in it: each test has a schema of its own."""
    psycopg = pytest.importorskip("psycopg", reason="needs pip install 'docmind[postgres]'")
    url = SERVICES["POSTGRES"] or pytest.skip("needs a PostgreSQL server: run `make test-services`")
    schema = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{schema}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(scope="session")
def chat_url() -> str:
    """A small real model behind OpenAI's protocol, whose words nobody can foretell."""
    return SERVICES["CHAT"] or pytest.skip("needs a chat model: run `make test-services`")


@pytest.fixture(scope="session")
def ray_address() -> str:
    pytest.importorskip("ray", reason="needs pip install 'docmind[ray]'")
    return SERVICES["RAY"] or pytest.skip("needs a Ray cluster: run `make test-services`")


def _move_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    for name, below in HOMES.items():
        (home / below).mkdir(parents=True, exist_ok=True)
        patch.setenv(name, str(home / below))


def _refuse_network(patch: pytest.MonkeyPatch) -> None:
    connect, connect_ex, getaddrinfo = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        _allow(self.family, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        _allow(self.family, address)
        return connect_ex(self, address)

    def guarded_getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        _allow(socket.AF_INET, (host,))
        return getaddrinfo(host, *arguments, **options)

    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)


def _allow(family: int, address: Any) -> None:
    if family == socket.AF_UNIX or _is_loopback(address[0]):
        return
    raise ConnectionRefusedError(f"tests may not reach the network: {address[0]!r}")


def _is_loopback(host: str | bytes | None) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    try:
        return name in (None, "", "localhost") or ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        return False
