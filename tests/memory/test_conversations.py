"""Titles and pins of conversations: to their owner alone, gone with the last run, on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from docmind.domain.answers import MessageKind, RunResult, Status
from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.memory.conversations import Label, Labels, conversations_of, open_labels, threads_of, title_of
from docmind.memory.run import Run, RunState
from docmind.memory.runs import Runs, open_runs

ADA, SHARED = Scope("w", "ada"), Scope("w")
TALK = Run("a1", ADA, "chat", "How long are receipts kept?", 100.0, "t")
NEXT = replace(TALK, id="a2", question="And invoices?", started=300.0)
ALONE = Run("b1", ADA, "docs", "Who signs the\n  CONTRACT?", 200.0)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Runs, Labels]]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    with closing(open_runs(url, tmp_path)) as runs, closing(open_labels(url, tmp_path)) as labels:
        for run in (TALK, ALONE, NEXT):
            runs.begin(run)
        yield runs, labels


def test_a_question_asked_by_itself_is_a_conversation_of_one(stores: tuple[Runs, Labels]) -> None:
    talk, alone = conversations_of(*stores, ADA)
    assert (talk.id, talk.is_thread, talk.length, talk.title) == ("t", True, 2, "How long are receipts kept?")
    assert (alone.id, alone.is_thread, alone.length, alone.title) == ("b1", False, 1, "Who signs the CONTRACT?")
    assert conversations_of(*stores, SHARED) == conversations_of(*stores, Scope("w", "bob")) == []


def test_the_last_run_tells_whether_a_conversation_waits(stores: tuple[Runs, Labels]) -> None:
    runs, labels = stores
    runs.begin(replace(TALK, id="a3", started=400.0))
    assert conversations_of(runs, labels, ADA)[0].waiting is None
    runs.begin(replace(TALK, id="a4", started=500.0))
    runs._update(replace(TALK, id="a4"), state=RunState.WAITING)
    assert conversations_of(runs, labels, ADA)[0].waiting == "a4"


def test_a_greeting_is_the_title_only_until_something_is_asked(stores: tuple[Runs, Labels]) -> None:
    def titles() -> list[str]:
        listed = [one.title for one in conversations_of(runs, labels, Scope("w", "bob"))]
        assert [thread.title for thread in threads_of(runs, labels, Scope("w", "bob"))] == listed
        return listed

    runs, labels = stores
    said = [("Hello!", MessageKind.GREETING), ("What can you do?", MessageKind.ABOUT_ASSISTANT)]
    for number, (words, kind) in enumerate(said):
        run = Run(f"c{number}", Scope("w", "bob"), "chat", words, 100.0 + number, "hello")
        runs.begin(run)
        runs.end(run, RunResult(run_id=run.id, workflow="chat", status=Status.ANSWERED, answer="", message_kind=kind))
    assert titles() == ["Hello!"]
    runs.begin(Run("c2", Scope("w", "bob"), "chat", "Who signs?", 200.0, "hello"))
    assert titles() == ["Who signs?"]
    labels.put(run.checkpoints, Scope("w", "bob"), Label("Signatures"))
    assert titles() == ["Signatures"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", ["t", "b1"]),
        ("invoices RECEIPTS", ["t"]),
        ("contract", ["b1"]),
        ("who receipts", []),
        ("archive", ["t"]),
        ("%", []),
    ],
)
def test_all_words_of_a_search_stand_in_the_title_or_in_a_question(
    stores: tuple[Runs, Labels], search: str, found: list[str]
) -> None:
    stores[1].put(TALK.checkpoints, ADA, Label("The Archive"))
    assert [one.id for one in conversations_of(*stores, ADA, search)] == found
    assert [thread.id for thread in threads_of(*stores, ADA, search)] == [one for one in found if one == "t"]


def test_pinned_ones_come_first_under_their_new_title(stores: tuple[Runs, Labels]) -> None:
    stores[1].put(ALONE.checkpoints, ADA, Label("Contract", pinned=True))
    stores[1].put(ALONE.checkpoints, ADA, Label("Contracts", pinned=True))
    first, second = conversations_of(*stores, ADA)
    assert (first.title, first.pinned, second.pinned) == ("Contracts", True, False)


def test_nobody_else_sees_a_label(stores: tuple[Runs, Labels]) -> None:
    stores[1].put(TALK.checkpoints, ADA, Label("Mine"))
    for other in (SHARED, Scope("w", "bob"), Scope("v", "ada")):
        assert stores[1].all(other) == {}
        assert stores[1].find(TALK.checkpoints, other) == Label()


def test_a_label_goes_with_the_last_run_of_its_conversation(stores: tuple[Runs, Labels]) -> None:
    runs, labels = stores
    for run in (TALK, ALONE):
        labels.put(run.checkpoints, ADA, Label("Named"))
    runs.delete(TALK)
    runs.delete(ALONE)
    assert set(labels.all(ADA)) == {TALK.checkpoints}
    runs.delete(NEXT)
    assert labels.all(ADA) == {}


def test_labels_go_with_their_workspace(stores: tuple[Runs, Labels]) -> None:
    runs, labels = stores
    labels.put(TALK.checkpoints, ADA, Label("Named"))
    runs.drop("w")
    assert labels.all(ADA) == {}


def test_a_title_is_one_line_and_an_empty_one_is_none() -> None:
    assert title_of("  Two\n lines\0 ") == "Two lines\ufffd"
    assert title_of(" \n") is None
    with pytest.raises(InvalidQuery, match="the most is 200"):
        title_of("x" * 201)
