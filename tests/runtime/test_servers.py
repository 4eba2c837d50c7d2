"""One machine outgrown: the same engine on a Qdrant server and PostgreSQL, which several installations share."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import Settings

pytestmark = pytest.mark.services

Open = Callable[[str], DocMind]


@pytest.fixture
def installed(qdrant_url: str, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens an installation of that name; each has a folder of its own and nothing of the others on its disk."""
    monkeypatch.setenv("DOCMIND_INDEX__URL", qdrant_url)
    monkeypatch.setenv("DOCMIND_DATABASE__URL", postgres_url)
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    with ExitStack() as opened:
        yield lambda name: opened.enter_context(DocMind(Settings.load(data_dir=tmp_path / name)))


@pytest.fixture
def scope() -> Scope:
    return Scope(f"w-{uuid.uuid4().hex[:12]}")


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "mill.md").write_text("# The mill\n\nThe Halden mill was bought for 14.2 million euros.\n")
    (folder / "prices.csv").write_text("item,price\nRope,12\nAnchor,90\n")
    return folder


def test_what_one_installation_ingests_another_finds_exactly_where_it_stands(
    installed: Open, scope: Scope, papers: Path
) -> None:
    report = installed("writer").ingest([papers], scope)
    assert (report.added, report.rejected) == (2, [])
    reader = installed("reader")
    best = reader.search("What did the Halden mill cost?", scope)[0]
    assert best.document.name == "papers/mill.md"
    assert best.passage.text == "The Halden mill was bought for 14.2 million euros."
    assert best.passage.span.of(reader.text(best.document)) == best.passage.text
    assert reader.search("mill", Scope("elsewhere")) == []


def test_a_file_is_skipped_replaced_and_deleted_for_all_installations_at_once(
    installed: Open, scope: Scope, papers: Path
) -> None:
    one, other = installed("one"), installed("other")
    one.ingest([papers], scope)
    assert other.ingest([papers], scope).unchanged == 2
    (papers / "mill.md").write_text("# The mill\n\nThe Halden mill was sold again.\n")
    assert other.ingest([papers], scope).replaced == 1
    assert [hit.passage.text for hit in one.search("Halden mill", scope, limit=1)] == [
        "The Halden mill was sold again."
    ]
    one.delete(["mill.md"], scope)
    assert [document.name for document in other.documents(scope)] == ["papers/prices.csv"]
    assert other.index.count(scope.workspace) == sum(document.passages for document in other.documents(scope))


def test_a_question_that_one_installation_found_is_suggested_and_answered_by_another(
    installed: Open, scope: Scope, papers: Path
) -> None:
    question = "How many days of leave do employees have?"
    (papers / "faq.md").write_text(f"# Questions on leave\n\n## {question}\n\nEmployees have 28 days of leave.\n")
    one, other = installed("one"), installed("other")
    one.ingest([papers], scope)
    assert scope.workspace in other.catalogue.changes()
    for _ in one.find_suggestions(scope.workspace):
        pass
    (found,) = other.suggested(scope)
    assert (found.question, other.without_suggestions()) == (question, None)
    assert found.run is not None
    taken = other.take_suggestion(found.run, scope)
    assert "28 days" in taken.answer
    assert [run.id for run in one.runs(scope)] == [taken.run_id]
