"""Many first documents are searched by quick vectors as soon as they are read, and by their embedder's soon after."""

import time
from pathlib import Path

import pytest

from docmind.corpus.workspaces import VectorState
from docmind.domain.scope import Scope
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.runtime.reindex import WorkspaceVectors
from tests.corpus.turned import Opening

HERE, OTHER = Scope("w"), Scope("other")
ALL = ["papers/copper.md", "papers/steel.md", "papers/zinc.md"]


@pytest.fixture(autouse=True)
def three_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docmind.corpus.ingest.BATCH", 3)


def found(engine: DocMind, scope: Scope = HERE) -> list[str]:
    return sorted({hit.document.name for hit in engine.search("steel copper zinc metal", scope)})


def embedders(engine: DocMind) -> dict[str, str]:
    return {one.workspace: one.embedder for one in engine.vectors()}


class Stop(Exception):
    """Raised by who follows an ingest, to end it where it is."""


def stop(_: WorkspaceVectors) -> None:
    raise Stop


def test_they_can_be_searched_before_they_are_embedded(opening: Opening, papers: Path) -> None:
    searched: list[tuple[list[str], dict[str, str]]] = []
    told: list[WorkspaceVectors] = []
    with opening("turned:table") as engine:

        def look(one: WorkspaceVectors) -> None:
            told.append(one)
            searched.append((found(engine), embedders(engine)))

        assert engine.ingest([papers], HERE, completing=look).added == 3
        assert searched[0] == (ALL, {"w": "static"})
        assert (told[-1].done, told[-1].passages) == (3, 3)
        assert engine.vectors() == [WorkspaceVectors("w", "turned:table", 3, True, None)]
        assert found(engine) == ALL
        assert {state: engine.index.records.in_state(state) for state in VectorState} == {
            VectorState.BUILDING: [], VectorState.CURRENT: ["w"], VectorState.REPLACED: [],
        }  # fmt: skip


def test_scores_are_calibrated_in_both_states(opening: Opening, papers: Path) -> None:
    def scores(engine: DocMind, scope: Scope) -> list[float]:
        return [hit.relevance_score for hit in engine.search("Does steel rust?", scope)]

    with opening("static") as engine:
        engine.ingest([papers], Scope("static"))
        static = scores(engine, Scope("static"))
    with opening("turned:table") as engine:
        with pytest.raises(Stop):
            engine.ingest([papers], HERE, completing=stop)
        assert scores(engine, HERE) == pytest.approx(static)
        engine.ingest([papers / "steel.md", papers / "copper.md"], OTHER)
        engine.ingest([papers / "zinc.md"], OTHER)
        assert embedders(engine)["other"] == "turned:table"
        engine.ingest([papers], HERE)
        assert scores(engine, HERE) == pytest.approx(scores(engine, OTHER))


def test_few_are_embedded_at_once(opening: Opening, papers: Path) -> None:
    with opening("turned:table") as engine:
        engine.ingest([papers / "steel.md"], HERE, completing=stop)
        assert embedders(engine) == {"w": "turned:table"}
        # What comes to a workspace that is embedded is embedded too, however much it is.
        engine.ingest([papers], HERE, completing=stop)
        assert embedders(engine) == {"w": "turned:table"}


def test_a_store_that_is_quick_itself_has_nothing_to_complete(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        engine.ingest([papers], HERE, completing=stop)
        assert engine.vectors() == [WorkspaceVectors("w", "static", 3, True, None)]


def test_the_next_ingest_completes_what_was_left(opening: Opening, papers: Path) -> None:
    with opening("turned:table") as engine, pytest.raises(Stop):
        engine.ingest([papers], HERE, completing=stop)
    with opening("turned:table") as engine:
        assert (found(engine), embedders(engine)) == (ALL, {"w": "static"})
        assert engine.ingest([papers], HERE).unchanged == 3
        assert (found(engine), embedders(engine)) == (ALL, {"w": "turned:table"})


def test_what_comes_and_goes_meanwhile_is_kept(
    opening: Opening, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docmind.corpus.indexing.FEW", 0)
    more = tmp_path / "papers" / "tin.md"
    with opening("turned:table") as engine:
        came = False

        def meanwhile(_: WorkspaceVectors) -> None:
            nonlocal came
            if not came:
                came = True
                more.write_text("# Tin\n\nTin is a soft metal.\n")
                engine.upload([Upload("tin.md", more)], HERE)
                engine.delete(["papers/zinc.md"], HERE)

        engine.ingest([papers], HERE, completing=meanwhile)
        assert found(engine) == ["papers/copper.md", "papers/steel.md", "tin.md"]
        assert (engine.index.count("w"), embedders(engine)) == (3, {"w": "turned:table"})


def test_another_process_that_reindexes_is_not_waited_for(opening: Opening, papers: Path) -> None:
    with opening("turned:table") as engine:
        with engine._one_at_a_time():
            assert engine.ingest([papers], HERE).added == 3
        assert (found(engine), embedders(engine)) == (ALL, {"w": "static"})
        engine.continue_reindex(lambda _: None)
        assert embedders(engine) == {"w": "turned:table"}


@pytest.mark.parametrize(("many", "embedder"), [(0, "static"), (1 << 20, "turned:table")])
def test_where_many_files_wait_the_first_is_searched_by_quick_vectors(
    opening: Opening, papers: Path, monkeypatch: pytest.MonkeyPatch, many: int, embedder: str
) -> None:
    monkeypatch.setattr("docmind.runtime.uploads.MANY_BYTES", many)
    with opening("turned:table") as engine:
        engine.queue([Upload("steel.md", papers / "steel.md")], HERE)
        engine.upload_queue.start()
        while engine.uploads.unfinished():
            time.sleep(0.02)
        engine.upload_queue.stop()
        assert embedders(engine) == {"w": embedder}
        engine.continue_reindex(lambda _: None)
        assert embedders(engine) == {"w": "turned:table"}
