"""`docmind watch` as its own process: whatever happens in the folder happens in the workspace."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from tests.office_files import zipped
from tests.stores import without_sockets

DocMind = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "papers"
    (root / "old").mkdir(parents=True)
    (root / "a.md").write_text("# A\n\nThe first paper.\n")
    (root / "old" / "b.md").write_text("# B\n\nThe second paper.\n")
    (root / "all.zip").write_bytes(zipped({"c.md": "# C\n\nText.", "d.md": "# D\n\nText."}))
    return root


@pytest.fixture
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    command: list[str | Path] = [Path(sys.executable).with_name("docmind"), "watch", folder, "--json"]
    # A shell starts what runs in the background with Ctrl-C ignored, and a process inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        signal.signal(signal.SIGINT, before)
        yield process
        process.kill()


def told(lines: IO[str] | None, count: int) -> set[tuple[str, str]]:
    """What became of the next so many files."""
    assert lines is not None
    rows = [json.loads(lines.readline()) for _ in range(count)]
    return {(row["outcome"], row["name"].removeprefix("papers/")) for row in rows}


def test_the_workspace_follows_the_folder_until_ctrl_c(
    watching: subprocess.Popen[str], folder: Path, docmind: DocMind, tmp_path: Path
) -> None:
    out, err = watching.stdout, watching.stderr
    assert told(out, 4) == {("added", name) for name in ("a.md", "old/b.md", "all.zip!c.md", "all.zip!d.md")}
    assert err is not None
    assert err.readline() == "Watching 1 folder (Ctrl-C stops).\n"
    # Between changes the store is free for others, and what they bring in from elsewhere stays.
    (tmp_path / "other.md").write_text("# Other\n\nFrom elsewhere.\n")
    assert docmind("ingest", tmp_path / "other.md").code == 0
    (folder / "new.md").write_text("# New\n\nA new paper.\n")
    assert told(out, 1) == {("added", "new.md")}
    (folder / "a.md").write_text("# A\n\nThe first paper, again.\n")
    assert told(out, 1) == {("updated", "a.md")}
    (folder / "old").rename(folder / "kept")
    assert told(out, 2) == {("added", "kept/b.md"), ("deleted", "old/b.md")}
    (folder / "new.md").unlink()
    assert told(out, 1) == {("deleted", "new.md")}
    (folder / "all.zip").write_bytes(zipped({"c.md": "# C\n\nText."}))
    assert told(out, 1) == {("deleted", "all.zip!d.md")}
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\n1 0 obj")
    assert told(out, 1) == {("rejected", "torn.pdf")}
    watching.send_signal(signal.SIGINT)
    assert (watching.wait(), err.read()) == (0, "Stopped.\n")
    names = {row["name"] for row in json.loads(docmind("documents", "--json").out)}
    assert names == {"papers/a.md", "papers/kept/b.md", "papers/all.zip!c.md", "other.md"}


def test_what_was_deleted_while_nobody_watched_is_taken_out_at_the_start(
    folder: Path, docmind: DocMind, request: pytest.FixtureRequest
) -> None:
    assert docmind("ingest", folder).code == 0
    (folder / "a.md").unlink()
    watching = request.getfixturevalue("watching")
    assert told(watching.stdout, 1) == {("deleted", "a.md")}


def test_documents_of_a_folder_that_is_gone_altogether_stay(
    watching: subprocess.Popen[str], folder: Path, docmind: DocMind, tmp_path: Path
) -> None:
    told(watching.stdout, 4)
    assert watching.stderr is not None
    assert watching.stderr.readline() == "Watching 1 folder (Ctrl-C stops).\n"
    folder.rename(tmp_path / "away")
    assert "its documents stay until it is back" in watching.stderr.readline()
    assert len(json.loads(docmind("documents", "--json").out)) == 4
    shutil.rmtree(tmp_path / "away" / "old")
    (tmp_path / "away").rename(folder)
    assert told(watching.stdout, 1) == {("deleted", "old/b.md")}


def test_changes_come_in_while_another_program_works_on_the_store(
    watching: subprocess.Popen[str], folder: Path
) -> None:
    from docmind.runtime.engine import DocMind as Engine

    told(watching.stdout, 4)
    assert watching.stderr is not None
    watching.stderr.readline()
    with Engine() as engine:
        before = engine.index.count("default")
        (folder / "new.md").write_text("# New\n\nA new paper.\n")
        assert told(watching.stdout, 1) == {("added", "new.md")}
        assert engine.index.count("default") == before + 1


def test_changes_wait_while_another_program_holds_a_store_that_cannot_be_shared(
    watching: subprocess.Popen[str], folder: Path
) -> None:
    from docmind.runtime.engine import DocMind as Engine
    from docmind.settings import Settings

    told(watching.stdout, 4)
    assert watching.stderr is not None
    watching.stderr.readline()
    without_sockets(Settings.load())
    with Engine() as engine:
        assert engine.index.count("default") > 0
        (folder / "new.md").write_text("# New\n\nA new paper.\n")
        assert watching.stderr.readline().startswith("Changes wait, because another program holds the store: ")
    assert told(watching.stdout, 1) == {("added", "new.md")}


def test_a_folder_that_is_not_there_is_one_line(docmind: DocMind, tmp_path: Path) -> None:
    missing = docmind("watch", tmp_path / "none")
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.startswith("docmind: There is no folder ")
