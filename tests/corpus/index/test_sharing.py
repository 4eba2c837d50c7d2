"""Several programs on one embedded index: whoever starts its process, all work on it until the last of them is gone."""

import io
import os
import pickle
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from docmind.corpus.index import Point, SparseVector
from docmind.corpus.index.embedded import wire
from docmind.corpus.index.embedded.index import EdgeIndex, _this_program
from docmind.corpus.index.embedded.serving import IndexServer
from docmind.corpus.index.embedded.wire import pack
from docmind.corpus.index.identity import Identity
from docmind.domain import socket_file
from docmind.domain.errors import StoreError, StoreLocked
from docmind.domain.scope import Scope
from docmind.domain.search import Filters

TERM = SparseVector((1,), (1.0,))
HERE = Scope("w")

# A program that opens an index, writes points of its own, says which process the index is in, and waits for an end.
PROGRAM = """
import sys, uuid
from pathlib import Path
from docmind.corpus.index import Point, SparseVector
from docmind.corpus.index.embedded.index import EdgeIndex
root, first, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
index = EdgeIndex(root, dimension=8, embedder="test")
for n in range(first, first + count):
    index.upsert("w", [Point(str(uuid.UUID(int=n)), f"d{n}", None, [1.0] * 8, SparseVector((1,), (1.0,)), {})])
print(index._host.pid, flush=True)
sys.stdin.read()
index.close()
"""


def opened(root: Path, optimize_above: int = 50_000) -> EdgeIndex:
    return EdgeIndex(root, dimension=8, embedder="test", optimize_above=optimize_above)


def point(number: int) -> Point:
    return Point(str(uuid.UUID(int=number)), f"d{number}", None, [1.0] * 8, TERM, {})


def found(index: EdgeIndex) -> int:
    return len(index.search(HERE, [1.0] * 8, TERM, Filters(), 10).candidates)


@contextmanager
def program(root: Path, first: int = 0, count: int = 3) -> "Iterator[subprocess.Popen[str]]":
    command = [sys.executable, "-c", PROGRAM, str(root), str(first), str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def starter(root: Path) -> "Iterator[tuple[subprocess.Popen[str], int]]":
    """A program that was there first, and the process it started."""
    with program(root) as process:
        yield process, host_of(process)


def host_of(process: "subprocess.Popen[str]") -> int:
    """The process that the program's index is in, once the program has written."""
    assert process.stdout is not None
    return int(process.stdout.readline())


def wait_until(condition: Callable[[], bool]) -> None:
    """The test's own time limit ends the wait."""
    while not condition():
        time.sleep(0.02)


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def test_what_one_program_writes_and_deletes_the_other_finds_and_misses(root: Path) -> None:
    with starter(root) as (_, host), closing(opened(root)) as index:
        assert index._host.pid == host
        assert (index.count("w"), found(index)) == (3, 3)
        with closing(opened(root)) as third:
            third.upsert("w", [point(7)])
            assert found(index) == 4
            third.delete_documents("w", ["d0", "d7"])
        assert (index.count("w"), found(index)) == (2, 2)


def test_programs_that_start_at_once_share_one_process_and_lose_nothing(root: Path) -> None:
    with ExitStack() as running:
        programs = [running.enter_context(program(root, first=10 * n, count=10)) for n in range(4)]
        (host,) = {host_of(each) for each in programs}
        with closing(opened(root)) as index:
            assert (index._host.pid, index.count("w")) == (host, 40)


@pytest.mark.fault(
    "kill -9",
    "A program beside others that use the same embedded index",
    left="Everything that was written",
    seen="Nothing; the others go on, and the next program finds all of it",
)
def test_the_process_outlives_the_program_that_started_it_while_another_needs_it(root: Path) -> None:
    with starter(root) as (first, host), closing(opened(root)) as index:
        first.kill()
        first.wait()
        assert found(index) == 3
        index.upsert("w", [point(9)])
        assert index._host.pid == host
    wait_until(lambda: is_gone(host))
    with closing(opened(root)) as again:
        assert again.count("w") == 4


def test_the_process_ends_when_the_last_program_is_killed(root: Path) -> None:
    with starter(root) as (first, host), program(root, first=5) as second:
        assert host_of(second) == host
        for each in (first, second):
            assert not is_gone(host)
            each.kill()
    wait_until(lambda: is_gone(host))


def test_a_program_whose_index_process_was_killed_with_its_starter_goes_on_with_another(root: Path) -> None:
    with starter(root) as (first, host), closing(opened(root)) as index:
        os.kill(host, signal.SIGKILL)
        first.kill()
        assert index.count("w") == 3
        assert index._host.pid != host


def test_a_service_manager_that_stops_the_starter_gets_rid_of_the_process_too(root: Path) -> None:
    with starter(root) as (first, host), closing(opened(root)) as index:
        os.kill(host, signal.SIGTERM)
        assert index._host.pid == host
        first.kill()
        wait_until(lambda: is_gone(host))
        assert index.count("w") == 3


def test_only_the_owner_may_use_the_socket(root: Path) -> None:
    with closing(opened(root)):
        assert stat.S_IMODE((root / "host.sock").stat().st_mode) == 0o600
        assert stat.S_IMODE(root.stat().st_mode) == 0o700


def test_a_folder_whose_path_is_longer_than_that_of_a_socket_may_be_is_shared_as_well(tmp_path: Path) -> None:
    root = tmp_path / ("long-" * 30) / "index"
    assert len(str(root)) > 107
    with starter(root) as (_, host), closing(opened(root)) as index:
        assert index._host.pid == host
        assert index.count("w") == 3


def test_where_no_socket_can_be_made_a_second_program_is_told_who_is_inside_and_what_to_do(root: Path) -> None:
    (root / "host.sock").mkdir(parents=True)
    with starter(root) as (other, _):
        with pytest.raises(StoreLocked) as refused:
            opened(root)
        sentence = str(refused.value)
        assert f"is in use by `-c` (process {other.pid}, since 20" in sentence
        for part in ("the folder's disk has no sockets", "Stop it", "DOCMIND_INDEX__URL"):
            assert part in sentence
    with closing(opened(root)) as alone:
        assert alone.count("w") == 3


def test_a_program_of_another_version_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(opened(root)) as index:
        monkeypatch.setattr("docmind.corpus.index.embedded.index.PROTOCOL_VERSION", wire.PROTOCOL_VERSION + 1)
        with pytest.raises(StoreLocked, match="is of another version"):
            opened(root)
        assert index.count("w") == 0


class Harmful:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.mkdir, ("harm",)


def test_what_comes_over_the_socket_runs_no_code(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(opened(root)) as index:
        line = socket_file.connect(root / wire.SOCKET)
        assert line is not None
        with line, line.makefile("rb") as answers:
            for sent in (
                ("open", (wire.PROTOCOL_VERSION, Identity("test", 8), Harmful())),
                ("_shard", ("w",)),
                b"nothing",
                7,
                ("upsert", ()),
            ):
                line.sendall(wire.framed(sent))
                assert isinstance(wire.read_answer(answers), StoreError)
        assert index.count("w") == 0
    with pytest.raises(pickle.UnpicklingError, match="mkdir is nothing that the index"):
        wire.read_answer(io.BytesIO(wire.framed(Harmful())))
    assert not Path("harm").exists()


def test_what_a_dead_program_had_asked_for_is_not_done_any_more(root: Path) -> None:
    (ours, theirs), (others, its) = socket.socketpair(), socket.socketpair()
    server = IndexServer(root, theirs)
    opening = wire.framed(("open", (wire.PROTOCOL_VERSION, Identity("test", 8), _this_program())))
    with ours, its:
        server._welcome(others)
        for line in (ours, its):
            line.sendall(opening)
        its.sendall(wire.framed(("upsert", ("w", [pack(point(1))]))))
        its.close()
        ours.sendall(wire.framed(("count", ("w",))))
        worker = threading.Thread(target=server.run)
        worker.start()
        with ours.makefile("rb") as answers:
            assert wire.read_answer(answers) == os.getpid()
            assert wire.read_answer(answers) == 0
            ours.sendall(wire.framed(("close", ())))
            assert wire.read_answer(answers) is True
        worker.join()
        assert server._last is not None
        assert server._host is not None
        server._last.line.close()
        os.close(server._host._lock)


def test_writes_of_other_programs_wait_while_the_files_are_copied_and_reach_the_copy(root: Path) -> None:
    with (
        closing(opened(root, optimize_above=50)) as index,
        closing(opened(root)) as other,
        closing(opened(root)) as third,
    ):
        index.upsert("w", [point(n) for n in range(100)])
        ask, writer = index._host.call, threading.Thread(target=other.upsert, args=("w", [point(100)]))

        def call(operation: str, *arguments: object) -> Any:
            if operation == "copied":
                writer.start()
                assert found(third) > 0
                assert (writer.is_alive(), third.count("w")) == (True, 100)
                assert third.optimize("w") is False
            return ask(operation, *arguments)

        index._host.call = call  # type: ignore[method-assign]
        assert index.optimize("w") is True
        writer.join()
        assert third.count("w") == 101


def test_a_program_killed_while_it_copies_holds_no_other_up(root: Path) -> None:
    begins = "index._host.call('begin_rebuild', 'w', 1); print(1, flush=True); sys.stdin.read()"
    optimising = PROGRAM.replace("sys.stdin.read()", begins)
    command = [sys.executable, "-c", optimising, str(root), "0", "5"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        host_of(process)
        host_of(process)
        with closing(opened(root, optimize_above=2)) as index:
            writer = threading.Thread(target=index.upsert, args=("w", [point(9)]))
            writer.start()
            process.kill()
            writer.join()
            assert index.count("w") == 6
            assert index.optimize("w") is True
            assert index.count("w") == 6
