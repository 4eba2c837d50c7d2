"""An installation with a few documents in it, opened as often as a test needs, with the chat model it needs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from docmind.domain.scope import Scope
from docmind.models.chat.meter import Retries
from docmind.models.chat.model import ChatModel
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.stores import copied

SCOPE = Scope("w")

Open = Callable[..., DocMind]


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read two papers, made once."""
    root = tmp_path_factory.mktemp("stock")
    (root / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years. They are scanned on arrival.\n")
    (root / "soup.md").write_text("# Cafeteria\n\nThe cafeteria serves soup from eleven to two.\n")
    with DocMind(_settings(data_dir=root / "data")) as engine:
        engine.ingest([root / "receipts.md", root / "soup.md"], SCOPE)
    return root / "data"


@pytest.fixture
def home(stock: Path, tmp_path: Path) -> Path:
    return copied(stock, tmp_path / "data")


@pytest.fixture
def opened(home: Path) -> Iterator[Open]:
    """Opens the installation, one engine at a time, with a chat model or settings of a test's own."""
    with ExitStack() as engines:

        def open_engine(chat: ChatModel | None = None, judge: ChatModel | None = None, **settings: Any) -> DocMind:
            engines.close()
            roles = Roles(writer=chat, judge=judge, retries=Retries(first_wait_s=0))
            return engines.enter_context(DocMind(_settings(**{"data_dir": home, **settings}), roles=roles))

        yield open_engine


def _settings(**chosen: Any) -> Settings:
    return Settings(**{"models": ModelSettings(embedder="static"), "ingest": IngestSettings(workers=1), **chosen})
