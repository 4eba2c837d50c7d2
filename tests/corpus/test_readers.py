"""Readers survive whatever a job does to them: here a job is an expression, and the work is to evaluate it."""

import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.corpus import readers
from docmind.corpus.readers import ProcessReaders
from docmind.domain.errors import FileRejected

CRASH = "__import__('os').kill(__import__('os').getpid(), 11)"
HANG = "__import__('time').sleep(600)"
BUSY = "sum(range(10**12))"
WAIT = "__import__('time').sleep(2.2) or 9"
SWALLOW = "len(bytearray(64 << 30))"
REJECT = "(_ for _ in ()).throw(__import__('docmind.domain.errors', fromlist=['x']).FileRejected('is empty'))"
RAISE = "{}['missing']"
CRAMPED = """[
    load := __import__('docmind.corpus.load', fromlist=['x']).load,
    system := __import__('resource'),
    data := b'[' + b'1,' * 10_000_000 + b'1]',
    held := int(open('/proc/self/statm').read().split()[0]) * system.getpagesize(),
    system.setrlimit(system.RLIMIT_AS, (held + (64 << 20), system.getrlimit(system.RLIMIT_AS)[1])),
    load(data, 'a.json'),
]"""
TOLD = pickle.dumps((len, int, 60.0, 60.0))
PRINT = "print('noise from a library') or 7"
SAY = """[
    [
        __import__('os').write(int(fd), {said!r})
        for fd in __import__('os').listdir('/proc/self/fd')
        if int(fd) > 2 and __import__('os').path.exists('/proc/self/fd/' + fd)
        and __import__('os').readlink('/proc/self/fd/' + fd).startswith('pipe:')
    ],
    {then},
]"""
"""Writes to wherever its outcomes go, past what packs them."""
CALL = "__import__('socket').create_connection(('127.0.0.1', {port})) and 1"
CALL_BELOW_PYTHON = """[
    native := __import__('ctypes'),
    libc := native.CDLL(None),
    line := libc.socket(2, 1, 0),
    network_order := __import__('socket').htons({port}),
    libc.connect(line, __import__('struct').pack('=HH4s8x', 2, network_order, bytes([127, 0, 0, 1])), 16),
].pop()"""
START = "__import__('subprocess').run(['touch', {file!r}]) and 1"
FILL = "open({file!r}, 'wb').write(bytes(64 << 20))"
HOARD = "len([open('/dev/null') for _ in range(5_000)])"


class Planted:
    """Runs code where it is unpickled."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self._file,)


def _outcomes(jobs: list[str], count: int, timeout_s: float = 60) -> dict[str, int | FileRejected]:
    with ProcessReaders[str, int](eval, int, count, timeout_s) as opened:
        return dict(opened.map(jobs))


def test_each_job_gets_its_own_result() -> None:
    assert _outcomes([f"{n} * {n}" for n in range(50)], 2) == {f"{n} * {n}": n * n for n in range(50)}


def test_a_job_that_kills_its_reader_is_blamed_alone() -> None:
    outcomes = _outcomes(["1", CRASH, "2", REJECT, RAISE, "3"], 2)
    assert [outcomes[job] for job in "123"] == [1, 2, 3]
    assert "crashed" in str(outcomes[CRASH])
    assert str(outcomes[REJECT]) == "is empty"
    assert str(outcomes[RAISE]) == "could not be read (KeyError: 'missing')."


def test_a_job_that_hangs_is_stopped() -> None:
    assert "took longer than 3 seconds to read" in str(_outcomes([HANG], 1, timeout_s=0.5)[HANG])


def test_a_job_that_never_ends_is_stopped_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where other programs keep the cores busy, its processor time may take as long as it likes.
    monkeypatch.setattr(readers, "WAITING", 600)
    outcomes = _outcomes([BUSY, "1"], 2, timeout_s=1)
    assert "took longer than 1 seconds of processor time" in str(outcomes[BUSY])
    assert outcomes["1"] == 1


def test_a_job_that_is_kept_waiting_by_others_has_its_time_nevertheless() -> None:
    assert _outcomes([WAIT], 1, timeout_s=2) == {WAIT: 9}


def test_each_job_of_a_reader_has_the_whole_time() -> None:
    jobs = [f"sum(range(3_000_000 + {number}))" for number in range(8)]
    assert all(isinstance(outcome, int) for outcome in _outcomes(jobs, 1, timeout_s=2).values())


def test_a_job_that_swallows_memory_is_refused() -> None:
    assert "memory" in str(_outcomes([SWALLOW], 1)[SWALLOW])


def test_what_a_library_prints_is_not_taken_for_a_result() -> None:
    assert _outcomes([PRINT], 1) == {PRINT: 7}


def test_jobs_are_drawn_only_as_readers_come_free() -> None:
    drawn = 0

    def jobs() -> Iterator[str]:
        nonlocal drawn
        for drawn in range(1, 21):
            yield str(drawn)

    with ProcessReaders[str, int](eval, int, 2) as opened:
        next(opened.map(jobs()))
        assert drawn <= 3


def test_a_file_that_needs_too_much_memory_is_said_so_and_not_called_damaged() -> None:
    assert "of memory to read" in str(_outcomes([CRAMPED], 1)[CRAMPED])


def test_a_reader_whose_parent_is_gone_does_not_work_for_ever() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "docmind.corpus.readers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdin is not None
        for message in ((eval, int, 60.0, 0.5), BUSY):
            pickle.dump(message, reader.stdin)
        reader.stdin.flush()
        assert reader.wait() == -signal.SIGALRM


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its timers end it")
def test_a_busy_reader_ends_with_its_parent(tmp_path: Path) -> None:
    told = tmp_path / "reader"
    job = f"[open({str(told)!r}, 'w').write(str(__import__('os').getpid())), {BUSY}]"
    program = f"from docmind.corpus.readers import ProcessReaders\nlist(ProcessReaders(eval, int, 1).map([{job!r}]))"
    with subprocess.Popen([sys.executable, "-c", program]) as parent:
        while not (told.exists() and told.read_text()):
            time.sleep(0.02)
        parent.kill()
    while Path("/proc", told.read_text(), "exe").exists():
        time.sleep(0.02)


@pytest.mark.parametrize("sent", [b"", TOLD[:-3], TOLD])
def test_a_reader_whose_ingest_is_gone_ends_without_a_word(sent: bytes) -> None:
    command = [sys.executable, "-m", "docmind.corpus.readers"]
    done = subprocess.run(command, input=sent, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_a_reader_that_was_taken_over_sends_is_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    sent = SAY.format(said=pickle.dumps(Planted(mark)), then="__import__('time').sleep(60)")
    assert "crashed" in str(_outcomes([sent, "1"], 1, timeout_s=0.5)[sent])
    assert not mark.exists()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"+",
        b"+\x05\0\0\0\0\0\0\0[1]",
        b"+\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"?\x01\0\0\0\0\0\0\x001",
        b"+\x01\0\0\0\0\0\0\0x",
        b"+\x03\0\0\0\0\0\0\0[1]",
    ],
)
def test_whatever_a_reader_says_costs_itself_alone_and_in_time(said: bytes) -> None:
    sent = SAY.format(said=said, then="__import__('time').sleep(60)")
    begun = time.monotonic()
    outcomes = _outcomes([sent, "1"], 1, timeout_s=0.5)
    assert isinstance(outcomes[sent], FileRejected)
    assert outcomes["1"] == 1
    assert time.monotonic() - begun < 30


def test_a_result_of_another_kind_than_was_agreed_on_is_refused() -> None:
    assert isinstance(_outcomes(["'text'", "1"], 1)["'text'"], FileRejected)


@pytest.mark.parametrize("call", [CALL, CALL_BELOW_PYTHON])
def test_a_reader_reaches_nobody(call: str) -> None:
    if call is CALL_BELOW_PYTHON and not may_leave_the_network():
        pytest.skip("this system lets no process leave the network")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.5)
        job = call.format(port=listener.getsockname()[1])
        outcome = _outcomes([job], 1)[job]
        assert isinstance(outcome, FileRejected) or outcome == -1
        with pytest.raises(TimeoutError):
            listener.accept()


def may_leave_the_network() -> bool:
    job = "len(open('/proc/net/dev').readlines())"
    here = len(Path("/proc/net/dev").read_text().splitlines())
    return here > 3 and _outcomes([job], 1)[job] == 3


def test_a_reader_starts_no_program(tmp_path: Path) -> None:
    job = START.format(file=str(tmp_path / "made"))
    assert "may not" in str(_outcomes([job], 1)[job])
    assert not (tmp_path / "made").exists()


def test_a_reader_fills_no_disk_and_opens_no_end_of_files(tmp_path: Path) -> None:
    fill = FILL.format(file=str(tmp_path / "large"))
    outcomes = _outcomes([fill, HOARD, "1"], 1)
    assert "File too large" in str(outcomes[fill])
    assert "Too many open files" in str(outcomes[HOARD])
    assert outcomes["1"] == 1
    assert (tmp_path / "large").stat().st_size < 64 << 20
