"""The record of uploads: each file in its scope, from when it was sent to what became of it, on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from docmind.corpus.catalogue import open_catalogue
from docmind.corpus.report import Filed, Outcome
from docmind.corpus.uploads import KEPT_S, FileState, QueuedFile, Uploads, open_uploads
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope

ADA, SHARED = Scope("w", "ada"), Scope("w")
FIRST = QueuedFile("f1", "u", 0, ADA, "Größe 大.md", 5 << 30)
SECOND = replace(FIRST, id="f2", position=1, name="b.zip")


class Clock:
    now = 1000.5

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.services)])
def url(request: pytest.FixtureRequest) -> str | None:
    return str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else None


@pytest.fixture
def uploads(url: str | None, tmp_path: Path, clock: Clock) -> Iterator[Uploads]:
    # Beside the catalogue, as an engine has them.
    with closing(open_catalogue(url, tmp_path)), closing(open_uploads(url, tmp_path, clock)) as opened:
        opened.add([SECOND, FIRST])
        yield opened


def sent(file: QueuedFile, at: float = Clock.now) -> QueuedFile:
    return replace(file, sent=at)


def test_files_that_were_sent_wait_in_the_order_they_came(uploads: Uploads, clock: Clock) -> None:
    clock.now += 1
    later = replace(FIRST, id="f3", upload="a", scope=SHARED)
    uploads.add([later])
    assert uploads.unfinished() == [sent(FIRST), sent(SECOND), sent(later, clock.now)]
    assert uploads.listed(ADA) == uploads.upload("u", ADA) == [sent(FIRST), sent(SECOND)]
    assert uploads.upload("f2", ADA) == [sent(SECOND)]


def test_nobody_else_finds_them(uploads: Uploads) -> None:
    for other in (SHARED, Scope("w", "bob"), Scope("v", "ada")):
        assert uploads.listed(other) == []
        with pytest.raises(NotFound, match="There is no upload 'u' in workspace"):
            uploads.upload("u", other)


@pytest.mark.parametrize("reference", ["", "nope", "%", "\0", "\udce4", "u" * 10_000])
def test_what_is_no_id_finds_nothing(uploads: Uploads, reference: str) -> None:
    with pytest.raises(NotFound, match="There is no upload"):
        uploads.upload(reference, ADA)


def test_what_became_of_a_file_comes_out_as_it_went_in(uploads: Uploads, clock: Clock) -> None:
    for file in uploads.unfinished():
        assert uploads.begin(file)
    begun = replace(FIRST, sent=clock.now, attempts=1, state=FileState.READING)
    assert uploads.unfinished() == [begun, replace(begun, id="f2", position=1, name="b.zip")]
    outcomes = (
        Filed("b.zip!ü \0.md", Outcome.ADDED, "d1", notes=("Page 2 is blank.",)),
        Filed("b.zip!\udce4", Outcome.REJECTED, reason="no"),
    )
    uploads.end("f2", outcomes)
    uploads.end("f1", [Filed(FIRST.name, Outcome.REJECTED, reason="is empty")])
    first, second = uploads.listed(ADA)
    assert (first.state, second.state) == (FileState.REJECTED, FileState.DONE)
    assert (second.outcomes, second.ended) == (outcomes, clock.now)
    assert uploads.unfinished() == []


def test_of_several_that_begin_a_file_one_does(uploads: Uploads) -> None:
    file = uploads.unfinished()[0]
    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(uploads.begin, [file] * 8)) == [False] * 7 + [True]


def test_a_file_whose_reading_was_broken_off_waits_again(uploads: Uploads) -> None:
    file = uploads.unfinished()[0]
    uploads.begin(file)
    uploads.put_back(file.id)
    assert uploads.unfinished()[0] == file
    assert uploads.begin(file)


def test_what_waits_is_cancelled_and_what_has_begun_is_not(uploads: Uploads, clock: Clock) -> None:
    file = uploads.unfinished()[0]
    uploads.begin(file)
    uploads.cancel(["f1", "f2"])
    assert [(one.state, one.ended) for one in uploads.listed(ADA)] == [
        (FileState.READING, None),
        (FileState.CANCELLED, clock.now),
    ]
    assert not uploads.begin(sent(SECOND))
    uploads.forget(["f2"])
    assert [one.id for one in uploads.listed(ADA)] == ["f1"]


def test_they_go_with_their_workspace_and_what_ended_long_ago_is_forgotten(uploads: Uploads, clock: Clock) -> None:
    kept = replace(FIRST, id="f3", upload="v", scope=Scope("v"))
    uploads.add([kept])
    assert sorted(uploads.drop("w")) == ["f1", "f2"]
    assert uploads.listed(ADA) == []
    uploads.cancel(["f3"])
    clock.now += KEPT_S + 1
    assert [one.id for one in uploads.listed(kept.scope)] == ["f3"]
    uploads.add([FIRST])
    assert uploads.listed(kept.scope) == []
    assert uploads.listed(ADA) == [sent(FIRST, clock.now)]
