"""A house with three people in it, each with a figure that nobody else may ever hear."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from docmind.domain.answers import RunResult
from docmind.domain.documents import Document
from docmind.domain.scope import Scope
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.server.conftest import serving

__all__ = ["serving"]

THREAD = "monday"
"""Everybody calls their conversation the same."""


@dataclass(frozen=True, slots=True)
class Dweller:
    """Somebody with a paper, a conversation, a run and an upload of their own."""

    scope: Scope
    secret: str
    document: Document
    run: RunResult
    uploaded: tuple[str, str]
    """The ids of the upload and of its file."""

    def is_told_in(self, shown: str) -> bool:
        return self.secret in shown.replace(",", "")

    @property
    def references(self) -> dict[str, list[str]]:
        """By the kind of thing, what somebody else might have learnt to call theirs by."""
        document = self.document
        return {
            "documents": [document.id, document.id[:8], document.name],
            "runs": [self.run.run_id, self.run.run_id[:8]],
            "suggestions": [self.run.run_id],
            "uploads": list(self.uploaded),
            "threads": [own_thread(self.scope)],
        }


@dataclass(frozen=True, slots=True)
class House:
    data: Path
    dwellers: tuple[Dweller, ...]


SCOPES = (Scope("w", "ada"), Scope("w", "bob"), Scope("x", "ada"))


def own_thread(scope: Scope) -> str:
    return f"{THREAD} of {scope.user} in {scope.workspace}"


def settings_of(data: Path) -> Settings:
    return Settings(data_dir=data, models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1))


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """Made once, and closed, so that any door can be tried on it."""
    root = tmp_path_factory.mktemp("house")
    with DocMind(settings_of(root / "data")) as engine:
        dwellers = tuple(settled(engine, root, scope, str(7_310_009 + 7 * n)) for n, scope in enumerate(SCOPES))
    return House(root / "data", dwellers)


def settled(engine: DocMind, root: Path, scope: Scope, secret: str) -> Dweller:
    paper = root / f"ledger-{scope.workspace}-{scope.user}.md"
    paper.write_text(f"# Ledger\n\nThe budget of Project Heron is EUR {secret} a year.\n")
    engine.ingest([paper], scope)
    question = "What is the budget of Project Heron?"
    (document,) = engine.documents(scope)
    # Nothing that can be read: it is taken in, and then rejected under its name.
    picture = root / "picture"
    picture.write_bytes(b"\0")
    (file,) = engine.queue([Upload(f"{secret}.bin", picture)], scope)
    dweller = Dweller(scope, secret, document, engine.run(question, scope), (file.upload, file.id))
    for thread, workflow in ((THREAD, "chat"), (own_thread(scope), "chat"), (THREAD, "finance")):
        assert dweller.is_told_in(engine.run(question, scope, workflow=workflow, thread=thread).answer)
    return dweller


@pytest.fixture(scope="session")
def engine_of_house(house: House) -> Iterator[DocMind]:
    with DocMind(settings_of(house.data)) as opened:
        yield opened
