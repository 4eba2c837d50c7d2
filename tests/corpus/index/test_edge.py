"""The embedded engine's process: it outlives accidents, and ends with the last program that uses it."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from docmind.corpus.index import Point, SparseVector, open_index
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.corpus.index.embedded.serving import Host
from docmind.corpus.index.embedded.wire import pack
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import StoreError, StoreMismatch
from docmind.models.weights import MANIFEST, versioned

DIMENSION = 8

# A program that opens an index, writes three points, says so, and waits to be killed.
OTHER_PROGRAM = """
import sys, uuid, time
from pathlib import Path
from docmind.corpus.index import Point, SparseVector
from docmind.corpus.index.embedded.index import EdgeIndex
index = EdgeIndex(Path(sys.argv[2]), dimension=8, embedder="test")
points = [Point(str(uuid.UUID(int=n)), "d", None, [1.0] * 8, SparseVector((1,), (1.0,)), {}) for n in range(3)]
index.upsert("w", points)
print(index._host.pid, flush=True)
time.sleep(600)
"""


def opened(root: Path, embedder: str = "test", dimension: int = DIMENSION) -> EdgeIndex:
    return EdgeIndex(root, dimension=dimension, embedder=embedder)


def written(root: Path, embedder: str) -> None:
    with closing(opened(root, embedder)) as index:
        index.upsert("w", points(1))


def points(count: int, start: int = 0) -> list[Point]:
    chance = random.Random(start)
    return [
        Point(
            str(uuid.UUID(int=n)),
            f"d{n}",
            None,
            [chance.gauss(0, 1) for _ in range(DIMENSION)],
            SparseVector((1,), (1.0,)),
            {},
        )
        for n in range(start, start + count)
    ]


def host_pid(index: EdgeIndex) -> int:
    pid = index._host.pid
    assert pid is not None
    return pid


def eventually(condition: Callable[[], bool]) -> bool:
    """True as soon as the condition holds; the test's own time limit ends the wait."""
    while not condition():
        time.sleep(0.02)
    return True


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A process that ended but was not waited for yet is gone as well.
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.fixture
def other_program(root: Path) -> "Callable[[], tuple[subprocess.Popen[str], int]]":
    def start() -> tuple[subprocess.Popen[str], int]:
        program = subprocess.Popen(
            [sys.executable, "-c", OTHER_PROGRAM, "serve", str(root)], stdout=subprocess.PIPE, text=True
        )
        assert program.stdout is not None
        return program, int(program.stdout.readline())

    return start


@pytest.mark.fault(
    "kill -9",
    "The index process alone, in mid-work",
    left="Everything that was written",
    seen="One call fails with a sentence, or none; the next starts a new one",
)
def test_nothing_written_is_lost_when_the_host_is_killed(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(700))
        index.delete_documents("w", ["d0"])
        os.kill(host_pid(index), signal.SIGKILL)
        with pytest.raises(StoreError, match=r"ended unexpectedly.*signal 9"):
            index.count("w")
        assert index.count("w") == 699


def test_a_host_that_crashed_is_replaced_at_the_next_call(root: Path) -> None:
    with closing(opened(root)) as index:
        first = host_pid(index)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(StoreError, match="the next call starts a new one"):
            index.upsert("w", points(1))
        index.upsert("w", points(1))
        assert host_pid(index) != first
        assert index.count("w") == 1


def test_a_refused_request_leaves_the_host_in_service(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(1))
        first = host_pid(index)
        with pytest.raises(StoreError, match="could not do what was asked"):
            index.upsert("w", [Point("not-a-uuid", "d", None, [1.0] * DIMENSION, SparseVector((), ()), {})])
        assert host_pid(index) == first
        assert index.count("w") == 1


def test_an_interrupt_is_not_the_hosts_business(root: Path) -> None:
    with closing(opened(root)) as index:
        pid = host_pid(index)
        assert os.getpgid(pid) != os.getpgid(0)
        os.kill(pid, signal.SIGINT)
        os.kill(pid, signal.SIGTERM)
        assert index.count("w") == 0
        assert host_pid(index) == pid


def test_a_closed_index_says_so_and_can_be_closed_again(root: Path) -> None:
    index = opened(root)
    pid = host_pid(index)
    index.close()
    index.close()
    assert gone(pid)
    with pytest.raises(StoreError, match="closed"):
        index.count("w")


def test_what_was_stored_is_there_after_closing(root: Path) -> None:
    with closing(opened(root)) as index:
        index.upsert("w", points(3))
    with closing(open_index(None, root, dimension=DIMENSION, embedder="test")) as again:
        assert again.count("w") == 3


def test_a_killed_program_leaves_no_host_no_lock_and_no_loss(
    root: Path, other_program: "Callable[[], tuple[subprocess.Popen[str], int]]"
) -> None:
    program, host = other_program()
    with program:
        program.kill()
    with closing(opened(root)) as index:
        assert index.count("w") == 3
    assert eventually(lambda: gone(host))


def test_vectors_of_another_embedder_lie_apart_from_those_the_store_was_begun_with(root: Path) -> None:
    written(root, embedder="first")
    with closing(opened(root, embedder="second", dimension=16)) as index:
        assert index.base == Identity("first", DIMENSION)
        assert index.count("w") == 0
        index.upsert("w", [Point(str(uuid.UUID(int=9)), "d9", None, [1.0] * 16, SparseVector((1,), (1.0,)), {})] * 2)
        first = index.of(index.base)
        assert (index.count("w"), first.count("w")) == (1, 1)
        first.drop("w")
        assert (index.count("w"), first.count("w")) == (1, 0)
    with closing(opened(root, embedder="second", dimension=16)) as again:
        assert again.count("w") == 1


def test_an_index_that_nothing_was_written_to_takes_another_embedder(root: Path) -> None:
    opened(root, embedder="first").close()
    written(root, embedder="second")
    with closing(opened(root, embedder="first")) as index:
        assert index.base == Identity("second", DIMENSION)


def test_a_store_made_before_is_found_by_the_same_weights_under_their_new_name(root: Path) -> None:
    weights = json.loads(MANIFEST.read_text(encoding="utf-8"))["static"]["files"]
    named_too = sorted(
        (name, digest) for name, digest in weights.items() if Path(name).name not in ("LICENSE", "NOTICE")
    )
    before = f"static@{hashlib.sha256(json.dumps(named_too).encode()).hexdigest()[:8]}"
    assert before != versioned("static")
    written(root, embedder=before)
    with closing(opened(root, embedder=versioned("static"))) as index:
        assert index.count("w") == 1
    with closing(opened(root, embedder="renamed@" + before.partition("@")[2])) as index:
        assert index.count("w") == 1
    with closing(opened(root, embedder="static@00000000")) as index:
        assert index.count("w") == 0


def test_a_store_of_another_format_is_refused(root: Path) -> None:
    opened(root).close()
    manifest = root / "index.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(StoreMismatch, match="format 99"):
        opened(root)


def test_the_host_starts_without_the_heavy_libraries() -> None:
    heavy = "{'numpy', 'pydantic', 'sqlalchemy', 'asyncio', 'multiprocessing'}"
    code = f"import sys, docmind.corpus.index.embedded.serving; print({heavy} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"


def test_only_so_many_workspaces_are_open_at_once_and_none_is_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docmind.corpus.index.embedded.serving.MOST_OPEN", 2)
    serving = Host(root, Identity("test", DIMENSION))
    try:
        for number in range(5):
            serving.upsert(f"w{number}", [pack(point) for point in points(number + 1)])
            assert len(serving._shards) <= 2
        assert [serving.count(f"w{number}") for number in range(5)] == [1, 2, 3, 4, 5]
        assert list(serving._shards) == ["w3", "w4"]
    finally:
        serving.close()
        os.close(serving._lock)
