"""Readers survive whatever a job does to them: here a job is an expression, and the work is to evaluate it."""

import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator

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
PRINT = "print('noise from a library') or 7"


def _outcomes(jobs: list[str], count: int, timeout_s: float = 60) -> dict[str, int | FileRejected]:
    with ProcessReaders[str, int](eval, count, timeout_s) as opened:
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

    with ProcessReaders[str, int](eval, 2) as opened:
        next(opened.map(jobs()))
        assert drawn <= 3


def test_a_file_that_needs_too_much_memory_is_said_so_and_not_called_damaged() -> None:
    assert "of memory to read" in str(_outcomes([CRAMPED], 1)[CRAMPED])


def test_a_reader_whose_parent_is_gone_does_not_work_for_ever() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "docmind.corpus.readers"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdin is not None
        for message in ((eval, 60.0, 0.5), BUSY):
            pickle.dump(message, reader.stdin)
        reader.stdin.flush()
        assert reader.wait() == -signal.SIGALRM


@pytest.mark.parametrize("sent", [b"", pickle.dumps((len, 60.0, 60.0))[:-3], pickle.dumps((len, 60.0, 60.0))])
def test_a_reader_whose_ingest_is_gone_ends_without_a_word(sent: bytes) -> None:
    command = [sys.executable, "-m", "docmind.corpus.readers"]
    done = subprocess.run(command, input=sent, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
