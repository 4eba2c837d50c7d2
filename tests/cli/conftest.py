"""The program as a person meets it: in this process for speed, or started anew where starting is what is tested."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from docmind.cli.main import run
from tests.stores import copied

MINUTES = """# Minutes of the board

## Decisions

The board approved the purchase of the Halden mill for 14.2 million euros.
The purchase is to close on 30 June.

## Risks

Energy prices at Halden rose by a third last winter.
"""
GUIDE = """# Handbook for travellers

Trains to the coast leave every two hours; the last one at 22:15.
"""
PRICES = "item,price in euros\nOak board,48\nPine board,19\n"


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: str
    err: str


Call = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def _choices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _choose(monkeypatch, tmp_path / "data")


@pytest.fixture
def docmind(capfd: pytest.CaptureFixture[str]) -> Call:
    """Run a command line in this process."""

    def call(*arguments: str | Path) -> Outcome:
        code = run([str(argument) for argument in arguments])
        return Outcome(code, *capfd.readouterr())

    return call


@pytest.fixture
def program() -> Call:
    """Run a command line as its own process, from the entry point on."""

    def call(*arguments: str | Path) -> Outcome:
        command = [Path(sys.executable).with_name("docmind"), *arguments]
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, text=True, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder with three readable files and one that is not."""
    return _write_papers(tmp_path / "papers")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read the papers, made once."""
    root = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        _choose(patch, root / "data")
        run(["ingest", str(_write_papers(root / "papers"))])
    return root / "data"


@pytest.fixture
def filled(docmind: Call, library: Path, tmp_path: Path) -> Call:
    """Run a command line where the papers are there already."""
    copied(library, tmp_path / "data")
    return docmind


def _write_papers(folder: Path) -> Path:
    folder.mkdir()
    (folder / "minutes.md").write_text(MINUTES)
    (folder / "guide.md").write_text(GUIDE)
    (folder / "prices.csv").write_text(PRICES)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Cat")
    return folder


def _choose(patch: pytest.MonkeyPatch, data: Path) -> None:
    patch.setenv("DOCMIND_DATA_DIR", str(data))
    patch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    patch.setenv("DOCMIND_INGEST__WORKERS", "1")
