"""The embedded engine's process: it outlives accidents, keeps others out, and never outlives its parent."""

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
from docmind.corpus.index.embedded import host
from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.corpus.index.embedded.lock import Holder
from docmind.corpus.index.embedded.packing import pack
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import StoreError, StoreLocked, StoreMismatch

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


def test_a_second_program_is_told_who_is_inside_and_what_to_do(
    root: Path, other_program: "Callable[[], tuple[subprocess.Popen[str], int]]"
) -> None:
    program, _ = other_program()
    with program:
        try:
            with pytest.raises(StoreLocked) as refused:
                opened(root)
        finally:
            program.kill()
    sentence = str(refused.value)
    assert f"serve` (process {program.pid}, since 20" in sentence
    for way_out in ("stop it", "HTTP address", "DOCMIND_INDEX__URL"):
        assert way_out in sentence


def test_a_killed_program_leaves_no_host_no_lock_and_no_loss(
    root: Path, other_program: "Callable[[], tuple[subprocess.Popen[str], int]]"
) -> None:
    program, host = other_program()
    with program:
        program.kill()
    with closing(opened(root)) as index:
        assert index.count("w") == 3
    assert eventually(lambda: gone(host))


def test_another_embedder_is_refused_with_both_names_and_a_way_out(root: Path) -> None:
    opened(root, embedder="minilm").close()
    with pytest.raises(StoreMismatch) as refused:
        opened(root, embedder="static", dimension=16)
    sentence = str(refused.value)
    for part in ("'minilm' (8 dimensions)", "'static' (16)", "DOCMIND_MODELS__EMBEDDER", "DOCMIND_DATA_DIR"):
        assert part in sentence
    opened(root, embedder="minilm").close()


@pytest.mark.parametrize("before", ["minilm", "minilm@00000000"])
def test_other_weights_of_the_same_embedder_are_refused_and_said_so(root: Path, before: str) -> None:
    opened(root, embedder=before).close()
    with pytest.raises(StoreMismatch, match="made with other weights of the embedder 'minilm' than this version"):
        opened(root, embedder="minilm@11111111")


def test_a_store_of_another_format_is_refused(root: Path) -> None:
    opened(root).close()
    manifest = root / "index.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(StoreMismatch, match="format 99"):
        opened(root)


def test_the_host_starts_without_the_heavy_libraries() -> None:
    heavy = "{'numpy', 'pydantic', 'sqlalchemy', 'asyncio', 'multiprocessing'}"
    code = f"import sys, docmind.corpus.index.embedded.host; print({heavy} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "set()"


def test_only_so_many_workspaces_are_open_at_once_and_none_is_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MOST_OPEN", 2)
    serving = host.Host(root, Identity("test", DIMENSION), Holder(os.getpid(), "pytest", "now"))
    try:
        for number in range(5):
            serving.upsert(f"w{number}", [pack(point) for point in points(number + 1)])
            assert len(serving._shards) <= 2
        assert [serving.count(f"w{number}") for number in range(5)] == [1, 2, 3, 4, 5]
        assert list(serving._shards) == ["w3", "w4"]
    finally:
        serving.close()
        os.close(serving._lock)
