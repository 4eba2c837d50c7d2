"""What the viewer does about files that do harm: a sentence, no second try, and other documents go on."""

from collections.abc import Iterator

import pytest

from docmind.corpus.load import Limits
from docmind.corpus.viewing.pages import PageJob, PageResult, look_at
from docmind.corpus.viewing.viewer import Viewer, Workers
from docmind.domain.documents import Document, Metadata
from docmind.domain.errors import FileRejected
from docmind.domain.scope import Scope

CRASH = "__import__('os').kill(__import__('os').getpid(), 11)"
ENDLESS = "sum(iter(int, 1))"


def document(content_hash: str) -> Document:
    return Document(
        "id", Scope("w"), "/a.pdf", "folder/a.pdf", content_hash, "application/pdf", Metadata(), 3, 9, 1, ""
    )


@pytest.fixture
def viewer() -> Iterator[Viewer]:
    made = Viewer(Limits())
    yield made
    made.close()


@pytest.mark.parametrize(("job", "reason"), [(CRASH, "crashed its reader"), (ENDLESS, "took longer than [16] seconds")])
def test_work_that_crashes_or_holds_up_its_process_is_told_and_the_next_is_done(job: str, reason: str) -> None:
    workers = Workers[str, int](eval, int, 1, 1)
    try:
        with pytest.raises(FileRejected, match=reason):
            workers.do(job)
        assert workers.do("1 + 2") == 3
    finally:
        workers.close()


def test_what_cannot_be_shown_is_said_once_and_not_tried_again(viewer: Viewer) -> None:
    asked: list[int] = []

    def broken() -> bytes:
        asked.append(1)
        return b"%PDF-1.4 and nothing more"

    for _ in range(2):
        with pytest.raises(FileRejected, match=r"^'a.pdf' cannot be shown here: it is not a whole PDF file"):
            viewer.picture(document("broken"), 1, 100, broken)
    assert asked == [1]


def test_the_file_is_read_once_for_all_its_pages(viewer: Viewer, samples: dict[str, bytes]) -> None:
    asked: list[int] = []

    def original() -> bytes:
        asked.append(1)
        return samples["figures.pdf"]

    pictures = {viewer.picture(document("figures"), number, 200, original) for number in (1, 2, 3)}
    assert len(pictures) == 3
    assert viewer.picture(document("figures"), 1, 200, original) in pictures
    # One for each process at most.
    assert len(asked) <= 2


def test_a_process_that_was_ended_while_idle_costs_nobody_their_page(samples: dict[str, bytes]) -> None:
    workers = Workers[PageJob, PageResult](look_at, PageResult, 1, 10)
    try:
        workers.do(PageJob("good", samples["figures.pdf"]))
        (reader,) = (reader for readers in workers._opened for reader in readers._idle)
        reader._process.kill()
        reader._process.wait()
        assert len(workers.do(PageJob("good", samples["figures.pdf"])).sizes) == 3
    finally:
        workers.close()
