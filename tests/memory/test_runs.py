"""The record of runs: what goes in comes out equal, to its owner alone, on SQLite and on PostgreSQL."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from docmind.database import open_database
from docmind.domain.answers import Clarification, RunResult, Status
from docmind.domain.confidence import Below, Threshold
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.memory.conversations import Label, open_labels
from docmind.memory.run import Answer, Feedback, Run, RunState
from docmind.memory.runs import Runs, open_runs

ADA, SHARED = Scope("w", "ada"), Scope("w")
RUN = Run("abc1", ADA, "docs", "How long?", 100.0, "t", "base", {"writer": "m"})


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


@pytest.fixture
def runs(url: str | None, tmp_path: Path) -> Iterator[Runs]:
    with closing(open_runs(url, tmp_path)) as opened:
        yield opened


def test_several_that_start_together_open_the_same_record(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(lambda _: open_runs(None, tmp_path), range(8)))
    opened[0].begin(RUN)
    assert all(runs.find("abc1", ADA) == RUN for runs in opened)
    for runs in opened:
        runs.close()


def test_a_run_keeps_how_sure_its_answer_must_be(runs: Runs) -> None:
    strict = replace(RUN, threshold=Threshold(0.2, Below.SHOW_UNSURE))
    runs.begin(strict)
    assert runs.find("abc1", ADA) == strict


def change(url: str | None, tmp_path: Path, *statements: str) -> None:
    """Make of the record what an older version made."""
    engine = open_database(url, tmp_path / "runs.db", sa.MetaData(), holds="The record")
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


def test_runs_of_the_first_version_are_read_as_runs_without_a_threshold(url: str | None, tmp_path: Path) -> None:
    with closing(open_runs(url, tmp_path)) as opened:
        opened.begin(RUN)
    columns = (f"ALTER TABLE runs DROP COLUMN {name}" for name in ("threshold", "max_retries"))
    change(url, tmp_path, *columns, "UPDATE table_versions SET version = 1 WHERE name = 'runs'")
    with closing(open_runs(url, tmp_path)) as opened:
        assert opened.find("abc1", ADA) == RUN
        opened.begin(replace(RUN, id="abd", threshold=Threshold(0.1)))
        assert opened.find("abd", ADA).threshold == Threshold(0.1)


def test_a_record_from_before_there_was_feedback_opens_and_takes_some(url: str | None, tmp_path: Path) -> None:
    with closing(open_runs(url, tmp_path)) as opened:
        opened.begin(RUN)
    for table in ("run_feedback", "conversation_labels"):
        change(url, tmp_path, f"DROP TABLE {table}", f"DELETE FROM table_versions WHERE name = '{table}'")
    with closing(open_runs(url, tmp_path)) as opened, closing(open_labels(url, tmp_path)) as labels:
        assert opened.find("abc1", ADA) == RUN
        opened.put_feedback(RUN, Feedback(False, "No."))
        labels.put(RUN.checkpoints, ADA, Label("Receipts"))
        assert opened.find("abc1", ADA).feedback == Feedback(False, "No.")
        assert labels.all(ADA) == {RUN.checkpoints: Label("Receipts")}


def test_a_file_that_another_is_about_to_begin_is_waited_for(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "runs.db", isolation_level=None)) as other, ThreadPoolExecutor(1) as thread:
        other.execute("CREATE TABLE other (id)")
        other.execute("BEGIN IMMEDIATE")
        opening = thread.submit(open_runs, None, tmp_path)
        assert not wait([opening], timeout=0.2).done
        other.execute("ROLLBACK")
        opening.result().close()


def result(clarification: Clarification | None = None) -> RunResult:
    return RunResult(run_id="abc1", workflow="docs", status=Status.ANSWERED, answer="ü", clarification=clarification)


def test_a_run_is_remembered_from_its_start_to_its_end(runs: Runs) -> None:
    runs.begin(RUN)
    assert runs.find("abc1", ADA) == RUN
    runs.stop(RUN, "It was interrupted.")
    assert runs.find("abc1", ADA) == replace(RUN, state=RunState.STOPPED, reason="It was interrupted.")
    runs.wait(RUN, result(Clarification(question="Where?")))
    assert runs.find("abc1", ADA).state is RunState.WAITING
    answered = replace(RUN, answers=(Answer("i", "Here."),))
    runs.go_on(answered)
    assert runs.find("abc1", ADA).answers == answered.answers
    runs.end(RUN, result())
    ended = runs.find("abc1", ADA)
    assert (ended.state, ended.result, ended.reason) == (RunState.ENDED, result(), "")
    assert ended.ended is not None


def test_nobody_else_finds_it(runs: Runs) -> None:
    runs.begin(RUN)
    for other in (SHARED, Scope("w", "bob"), Scope("v", "ada")):
        assert runs.latest(other, 10) == []
        with pytest.raises(NotFound, match="There is no run 'abc1' in workspace"):
            runs.find("abc1", other)


@pytest.mark.parametrize("reference", ["", "nope", "%", "_bc1", "\0", "\udce4"])
def test_what_is_no_start_of_an_id_finds_nothing(runs: Runs, reference: str) -> None:
    runs.begin(RUN)
    with pytest.raises(NotFound, match="There is no run"):
        runs.find(reference, ADA)


def test_the_start_of_an_id_is_enough_where_it_is_the_only_one(runs: Runs) -> None:
    for number, identifier in enumerate(("abc1", "abd1", "xyz1")):
        runs.begin(replace(RUN, id=identifier, started=float(number)))
    assert runs.find("abc", ADA).id == "abc1"
    with pytest.raises(NotFound, match="several runs begin with it"):
        runs.find("ab", ADA)
    assert [run.id for run in runs.latest(ADA, 2)] == ["xyz1", "abd1"]
    assert runs.last_of(RUN).id == "xyz1"


def test_records_are_kept_for_their_run_and_the_first_of_a_key_stays(runs: Runs, tmp_path: Path) -> None:
    runs.begin(RUN)
    recorder = runs.recorder(RUN)
    assert recorder.lookup("k") is None
    recorder.store("k", "first")
    recorder.store("k", "second")
    assert runs.recorder(RUN).lookup("k") == recorder.lookup("k") == "first"
    assert runs.recorder(replace(RUN, id="other")).lookup("k") is None
    runs.delete(RUN)
    assert (runs.latest(ADA, 9), runs.recorder(RUN).records) == ([], {})


def test_the_runs_of_a_workspace_go_together_with_their_records_and_leave_the_others(runs: Runs) -> None:
    kept = replace(RUN, id="xyz1", scope=Scope("v", "ada"))
    alone = replace(RUN, id="def1", scope=SHARED, thread=None)
    for run in (RUN, alone, kept):
        runs.begin(run)
        runs.recorder(run).store("k", "said")
    assert runs.workspaces() == {"v": 1, "w": 2}
    assert runs.checkpoints_in("w") == {RUN.checkpoints, alone.checkpoints} == {"docs/w/ada/t", "def1"}
    runs.drop("w")
    assert runs.workspaces() == {"v": 1}
    assert [runs.recorder(run).records for run in (RUN, alone, kept)] == [{}, {}, {"k": "said"}]


def test_what_a_run_still_records_after_it_was_deleted_is_not_kept(runs: Runs) -> None:
    runs.begin(RUN)
    recorder = runs.recorder(RUN)
    runs.delete(RUN)
    recorder.store("k", "said")
    assert runs.recorder(RUN).records == {}


def test_feedback_is_kept_with_its_run_changed_and_taken_back(runs: Runs) -> None:
    runs.begin(RUN)
    runs.begin(replace(RUN, id="other", started=200.0))
    runs.put_feedback(RUN, Feedback(True, "Just so. ü", 5.0))
    runs.put_feedback(RUN, Feedback(False, "Not quite.", 6.0))
    assert runs.find("abc1", ADA).feedback == Feedback(False, "Not quite.", 6.0)
    assert [run.id for run in runs.with_feedback(ADA)] == ["abc1"]
    assert runs.with_feedback(SHARED) == runs.with_feedback(Scope("w", "bob")) == []
    runs.put_feedback(RUN, None)
    assert runs.find("abc1", ADA).feedback is None
    assert runs.with_feedback(ADA) == []


def test_feedback_goes_with_its_run_and_none_is_kept_for_one_that_is_gone(runs: Runs) -> None:
    for gone in (runs.delete, lambda run: runs.drop(run.scope.workspace)):
        runs.begin(RUN)
        runs.put_feedback(RUN, Feedback(True))
        gone(RUN)
        runs.put_feedback(RUN, Feedback(False))
        runs.begin(RUN)
        assert runs.find("abc1", ADA).feedback is None
        runs.delete(RUN)
