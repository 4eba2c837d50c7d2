"""Leases on runs: one holder at a time, on SQLite and on PostgreSQL, and none that outlives its process for long."""

import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from docmind.domain.errors import UnderWay
from docmind.domain.scope import Scope
from docmind.memory.leases import LASTS_S, Lease, Leases, Process, open_leases
from docmind.memory.run import Run, RunState

Open = Callable[[], Leases]


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def opened(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Open]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    all_opened: list[Leases] = []

    def open_one() -> Leases:
        all_opened.append(open_leases(url, tmp_path, clock))
        return all_opened[-1]

    yield open_one
    for one in all_opened:
        one.close()


def test_what_is_leased_is_refused_to_others_until_it_is_given_back(opened: Open) -> None:
    mine, theirs = opened(), opened()
    lease = mine.take("a")
    with pytest.raises(UnderWay, match="is being worked on or resumed by this process; wait"):
        theirs.take("a")
    theirs.release(theirs.take("b"))
    mine.release(lease)
    theirs.take("a")


def test_of_many_that_come_at_once_one_has_it(opened: Open) -> None:
    def attempt(leases: Leases) -> Lease | None:
        try:
            return leases.take("a")
        except UnderWay:
            return None

    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(attempt, [opened() for _ in range(8)]))
    assert sum(lease is not None for lease in taken) == 1


def test_a_lease_that_is_not_renewed_runs_out_and_its_holder_is_told(opened: Open, clock: Clock) -> None:
    mine, theirs = opened(), opened()
    lease = mine.take("a")
    clock.now += LASTS_S - 1
    assert mine.renew(lease)
    clock.now += LASTS_S - 1
    with pytest.raises(UnderWay):
        theirs.take("a")
    clock.now += 2
    other = theirs.take("a")
    assert not mine.renew(lease)
    mine.release(lease)
    assert theirs.renew(other)


def test_a_lease_of_another_machine_is_not_taken_for_dead(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, theirs = opened(), opened()
    mine.take("a")
    monkeypatch.setattr(platform, "node", lambda: "elsewhere")
    with pytest.raises(UnderWay, match=r"another process \(process \d+ on "):
        theirs.take("a")


def test_a_process_that_ended_is_known_to_have_died_also_where_another_has_its_number() -> None:
    this = Process.this()
    assert not this.has_died()
    assert Process(this.host, this.pid, "0").has_died()
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert Process(this.host, ended.pid, "").has_died()


def test_a_run_that_nobody_is_at_any_more_is_seen_as_stopped(opened: Open, clock: Clock) -> None:
    mine, theirs = opened(), opened()
    run = Run("a", Scope("w"), "docs", "How long?", 0.0)
    ended = Run("b", Scope("w"), "docs", "How long?", 0.0, state=RunState.ENDED)
    mine.take(run.checkpoints)
    assert theirs.truly(lambda: [run, ended]) == [run, ended]
    clock.now += LASTS_S + 1
    lost, same = theirs.truly(lambda: [run, ended])
    assert (lost.state, lost.reason, same) == (RunState.STOPPED, "Its process ended before it did.", ended)


def test_a_run_that_ends_while_it_is_looked_at_is_seen_as_it_ended(opened: Open) -> None:
    mine, theirs = opened(), opened()
    run = Run("a", Scope("w"), "docs", "How long?", 0.0)
    ended = replace(run, state=RunState.ENDED)
    lease, reads = mine.take(run.checkpoints), iter([run, ended])

    def read() -> list[Run]:
        mine.release(lease)
        return [next(reads)]

    assert theirs.truly(read) == [ended]
