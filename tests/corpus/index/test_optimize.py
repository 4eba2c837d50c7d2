"""Optimising: a faster copy takes the shard's place while it is in use, and a kill at any moment harms neither."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from docmind.corpus.index import Point, SparseVector
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.corpus.index.embedded.optimiser import Optimisation, copy_sparsely
from docmind.corpus.index.embedded.shard import Generations
from docmind.domain.errors import StoreError
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

DIMENSION = 16
ENOUGH = 1_500
TERM = SparseVector((1,), (1.0,))


def opened(root: Path, optimize_above: int = 1_000) -> EdgeIndex:
    return EdgeIndex(root, dimension=DIMENSION, embedder="test", optimize_above=optimize_above)


def point(number: int, document: str | None = None, **payload: str | int) -> Point:
    chance = random.Random(number)
    dense = [chance.gauss(0, 1) for _ in range(DIMENSION)]
    return Point(str(uuid.UUID(int=number)), document or f"d{number // 10}", None, dense, TERM, payload)


def points(start: int, end: int) -> list[Point]:
    return [point(number) for number in range(start, end)]


def nearest(index: EdgeIndex, number: int, filters: Filters | None = None) -> int | None:
    found = index.search(Scope("w"), point(number).dense, TERM, filters or Filters(), 5)
    return uuid.UUID(found.dense_top[0]).int if found.dense_top else None


def folders(root: Path) -> Generations:
    return Generations(root, "w")


def has_graph(root: Path) -> bool:
    current = folders(root).current()
    assert current is not None
    return any(folders(root).path(current.generation).glob("segments/*/vector_index-dense/graph*"))


def before(index: EdgeIndex, operation: str, act: Callable[[], object]) -> None:
    """Let `act` happen in the moment before the index asks its host for `operation`."""
    ask = index._host.call

    def call(name: str, *arguments: object) -> Any:
        if name == operation:
            index._host.call = ask  # type: ignore[method-assign]
            act()
        return ask(name, *arguments)

    index._host.call = call  # type: ignore[method-assign, assignment]


def test_optimising_builds_a_search_graph_and_keeps_every_point(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))
        assert not has_graph(root)
        assert index.optimize("w") is True
        assert has_graph(root)
        assert index.count("w") == ENOUGH
        assert [nearest(index, n) for n in (0, 7, 1_499)] == [0, 7, 1_499]
        assert index.optimize("w") is False
        assert len([*folders(root).folder.glob("[0-9]*")]) == 1
    with closing(opened(root)) as again:
        assert again.count("w") == ENOUGH
        assert again.optimize("w") is False


def test_searches_and_writes_go_on_while_it_works_and_none_is_forgotten(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))
        results: list[bool] = []
        worker = threading.Thread(target=lambda: results.append(index.optimize("w")))
        answered = 0

        def meanwhile() -> None:
            index.upsert("w", points(ENOUGH, ENOUGH + 700))
            index.upsert("w", [point(5, company="Acme", document="moved")])
            index.delete_documents("w", ["d1", "d151"])
            index.upsert("w", [point(12)])

        before(index, "catch_up", meanwhile)
        worker.start()
        while worker.is_alive():
            assert nearest(index, 777) == 777
            answered += 1
        worker.join()
        assert results == [True]
        assert answered > 0
        assert has_graph(root)
        assert index.count("w") == ENOUGH + 700 - 20 + 1
        assert index.count("w", "d1") == 1
        assert nearest(index, 2_199) == 2_199
        assert nearest(index, 5, Filters(company=("Acme",))) == 5
        assert index.count("w", "moved") == 1


def test_a_workspace_dropped_meanwhile_stays_dropped(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))
        before(index, "catch_up", lambda: index.drop("w"))
        assert index.optimize("w") is False
        assert index.count("w") == 0
        assert not folders(root).folder.exists()


@pytest.mark.parametrize("moment", ["catch_up", "finish_rebuild"])
@pytest.mark.fault(
    "kill -9",
    "The optimising of an index, before the better copy takes its place",
    left="The index as it was",
    seen="Nothing; the next ingest optimises again",
)
def test_a_host_killed_before_the_swap_leaves_the_old_shard(root: Path, moment: str) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))

        def kill() -> None:
            index.upsert("w", points(ENOUGH, ENOUGH + 5))
            os.kill(index._host.pid or 0, signal.SIGKILL)

        before(index, moment, kill)
        with pytest.raises(StoreError, match="ended unexpectedly"):
            index.optimize("w")
        assert index.count("w") == ENOUGH + 5
        assert not has_graph(root)
        assert index.optimize("w") is True
        assert index.count("w") == ENOUGH + 5


def test_an_optimiser_that_dies_leaves_the_index_as_it_was(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))
        work = Optimisation.wait

        def killed(optimisation: Optimisation) -> None:
            optimisation.kill()
            work(optimisation)

        monkeypatch.setattr(Optimisation, "wait", killed)
        with pytest.raises(StoreError, match="stays as it was"):
            index.optimize("w")
        monkeypatch.undo()
        assert index.count("w") == ENOUGH
        assert index.optimize("w") is True


@pytest.fixture
def stored(root: Path) -> Path:
    with closing(opened(root)) as index:
        index.upsert("w", points(0, 30))
    return root


def counted(root: Path) -> int:
    with closing(opened(root)) as index:
        return index.count("w")


def test_half_a_copy_is_removed_and_the_old_shard_serves(stored: Path) -> None:
    half = folders(stored).path(2)
    copy_sparsely(folders(stored).path(1), half)
    shutil.rmtree(half / "segments")
    assert counted(stored) == 30
    assert not half.exists()


def test_a_whole_copy_that_was_not_committed_is_removed(stored: Path) -> None:
    copy_sparsely(folders(stored).path(1), folders(stored).path(2))
    assert counted(stored) == 30
    assert not folders(stored).path(2).exists()


def test_after_the_commit_the_new_shard_serves_and_the_old_one_goes(stored: Path) -> None:
    copy_sparsely(folders(stored).path(1), folders(stored).path(2))
    pointer = folders(stored).folder / "current.json"
    pointer.write_text(pointer.read_text().replace('"generation": 1', '"generation": 2'))
    # Half removed already, as a kill during the removal leaves it.
    shutil.rmtree(folders(stored).path(1) / "wal")
    assert counted(stored) == 30
    assert not folders(stored).path(1).exists()


def test_a_pointer_that_was_being_written_does_not_count(stored: Path) -> None:
    (folders(stored).folder / "current.json.draft").write_text('{"generation": 2, "unin')
    assert counted(stored) == 30


def test_a_shard_that_was_being_created_or_dropped_does_not_count(stored: Path) -> None:
    (folders(stored).folder / "current.json").unlink()
    assert counted(stored) == 0
    with closing(opened(stored)) as index:
        index.upsert("w", points(0, 3))
        assert index.count("w") == 3


def test_a_copy_has_the_same_bytes_and_keeps_the_holes(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "inner").mkdir(parents=True)
    with (source / "inner" / "sparse").open("wb") as file:
        file.write(b"head")
        file.seek(3 << 20)
        file.write(b"middle")
        file.truncate(64 << 20)
    (source / "empty").touch()
    copy_sparsely(source, tmp_path / "target")
    copied = tmp_path / "target" / "inner" / "sparse"
    assert copied.read_bytes() == (source / "inner" / "sparse").read_bytes()
    assert copied.stat().st_blocks * 512 < 1 << 20
    assert (tmp_path / "target" / "empty").read_bytes() == b""


def test_an_optimiser_does_not_outlive_the_program_that_started_it(tmp_path: Path) -> None:
    # It works without ever running Python, so the kernel has to end it when the pipe from its parent closes.
    code = """
import sys
from docmind.corpus.index.embedded.optimiser import die_with_parent
die_with_parent(sys.stdin.fileno())
print("working", flush=True)
sum(range(10**12))
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdin is not None
        assert worker.stdout.readline() == "working\n"
        worker.stdin.close()
        assert worker.wait() == -signal.SIGIO


def test_a_copy_that_cannot_be_made_leaves_nothing_to_remember(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    with closing(opened(root)) as index:
        index.upsert("w", points(0, ENOUGH))
        before(index, "abandon_rebuild", lambda: asked.append("abandon_rebuild"))
        monkeypatch.setattr("docmind.corpus.index.embedded.index.Optimisation", _no_room)
        with pytest.raises(OSError, match="No space left"):
            index.optimize("w")
        monkeypatch.undo()
        assert asked == ["abandon_rebuild"]
        assert index.optimize("w") is True


def _no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")
