"""Reindexing: searches go on with the old vectors, nothing is read again, and whatever comes in meanwhile is kept."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from docmind.corpus.index.embedded.index import EdgeIndex
from docmind.corpus.workspaces import VectorState
from docmind.domain.errors import NotFound, StoreMismatch
from docmind.domain.scope import Scope
from docmind.memory.recollections import Recollection
from docmind.models.embedding import Vectors
from docmind.models.weights import versioned
from docmind.runtime.engine import DocMind
from docmind.runtime.reindex import WorkspaceVectors
from docmind.settings import Settings
from tests.corpus.turned import Opening, Turned

HERE, ADA, OTHER = Scope("w"), Scope("w", "ada"), Scope("other")
TURN = Recollection("Which hall?", "Which hall is meant?", "The eastern.")


def filled(engine: DocMind, papers: Path) -> None:
    engine.ingest([papers], HERE)
    engine.ingest([papers / "steel.md"], OTHER)
    engine.ingest([papers / "zinc.md"], ADA)
    asyncio.run(engine.aremember(TURN, ADA, "s"))


def found(engine: DocMind, scope: Scope = HERE) -> list[str]:
    return sorted({hit.document.name for hit in engine.search("steel copper zinc metal", scope)})


ALL = ["papers/copper.md", "papers/steel.md", "papers/zinc.md"]


def test_another_embedder_takes_the_place_of_the_first_and_no_file_is_read(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
        before = {document.id for document in engine.documents(ADA)}
    hidden = papers.rename(papers.with_name("away"))
    with opening("turned:table") as engine:
        assert found(engine) == ALL
        assert [(one.workspace, one.embedder, one.is_current) for one in engine.vectors()] == [
            ("other", "static", False),
            ("w", "static", False),
        ]
        done: list[WorkspaceVectors] = []
        told = engine.reindex(progress=done.append)
        assert told == engine.vectors()
        assert told == [
            WorkspaceVectors("other", "turned:table", 1, True, None),
            WorkspaceVectors("w", "turned:table", 4, True, None),
        ]
        assert [(one.workspace, one.done) for one in done if one.done] == [("other", 1), ("w", 4)]
        assert found(engine) == ALL
        assert {document.id for document in engine.documents(ADA)} == before
        assert asyncio.run(engine.arecall("hall", ADA, limit=3)) == [TURN]
        assert engine._notes.near("Which hall?", ADA, 3)
        assert engine.reindex() == []
    with opening("turned:table") as engine:
        hidden.rename(papers)
        assert engine.ingest([papers], HERE).unchanged == 3


def test_one_workspace_can_go_before_the_others(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    with opening("turned:table") as engine:
        assert [one.workspace for one in engine.reindex("w")] == ["w"]
        assert [one.embedder for one in engine.vectors()] == ["static", "turned:table"]
        assert (found(engine), found(engine, OTHER)) == (ALL, ["steel.md"])
        # One that is indexed keeps its embedder, whatever comes in; a new one has that which is set.
        (papers / "tin.md").write_text("# Tin\n\nTin is soft metal.\n")
        engine.ingest([papers / "tin.md"], OTHER)
        engine.ingest([papers / "tin.md"], Scope("new"))
        assert [(one.workspace, one.embedder) for one in engine.vectors()] == [
            ("new", "turned:table"), ("other", "static"), ("w", "turned:table"),
        ]  # fmt: skip
        assert found(engine, OTHER) == ["steel.md", "tin.md"]
        assert found(engine, Scope("new")) == ["tin.md"]
        with pytest.raises(NotFound, match="nothing in workspace 'nowhere'"):
            engine.reindex("nowhere")


def test_and_back_again(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    for embedder in ("turned:table", "static", "turned:other"):
        with opening(embedder) as engine:
            engine.reindex()
            assert {one.embedder for one in engine.vectors()} == {embedder}
            assert found(engine) == ALL
            assert engine._notes.near("Which hall?", ADA, 3)


def test_scores_are_those_of_a_store_that_was_made_so(opening: Opening, settings: Settings, papers: Path) -> None:
    with opening("turned:table") as engine:
        engine.ingest([papers], HERE)
        engine.ingest([papers], OTHER)
    with opening("static") as engine:
        engine.ingest([papers], Scope("made-so"))
        engine.reindex("w")
        assert scores(engine, HERE) == pytest.approx(scores(engine, Scope("made-so")))
        assert scores(engine, OTHER) != pytest.approx(scores(engine, HERE))


def scores(engine: DocMind, scope: Scope) -> list[float]:
    return [hit.relevance_score for hit in engine.search("Does steel rust?", scope)]


def test_searches_and_changes_go_on_meanwhile(opening: Opening, papers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    building, go_on = Event(), Event()
    original = Turned.embed_passages

    def slow(self: Turned, texts: list[str]) -> Vectors:
        if any("Zinc" in text for text in texts):
            building.set()
            assert go_on.wait(60)
        return original(self, texts)

    with opening("turned:table") as engine, ThreadPoolExecutor(1) as pool:
        monkeypatch.setattr(Turned, "embed_passages", slow)
        reindexing = pool.submit(engine.reindex, "w")
        assert building.wait(60)
        assert found(engine) == ALL
        assert next(one.done for one in engine.vectors() if one.workspace == "w") is not None
        (papers / "steel.md").write_text("# Steel\n\nSteel is strong now.\n")
        (papers / "tin.md").write_text("# Tin\n\nTin is a soft metal.\n")
        engine.ingest([papers], HERE)
        engine.delete(["papers/zinc.md"], HERE)
        asyncio.run(engine.aremember(Recollection("Tin?", "Is tin soft?", "Yes."), ADA, "s"))
        go_on.set()
        reindexing.result()
        assert found(engine) == ["papers/copper.md", "papers/steel.md", "papers/tin.md"]
        assert engine.search("steel", HERE)[0].passage.text == "Steel is strong now."
        assert engine.index.count("w") == sum(document.passages for document in engine.documents(ADA))
        assert len(engine._notes.near("tin or hall", ADA, 5)) == 2


def test_a_workspace_that_is_deleted_meanwhile_stays_deleted(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    with opening("turned:table") as engine:

        def delete(_: WorkspaceVectors) -> None:
            if any(one.name == "w" for one in engine.workspaces()):
                engine.delete_workspace("w")

        with pytest.raises(NotFound, match="'w' was deleted while it was reindexed"):
            engine.reindex("w", delete)
        assert engine.documents(HERE) == []
        engine.ingest([papers / "zinc.md"], HERE)
        assert engine.index.count("w") == 1


def test_what_the_index_has_lost_is_written_anew(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
        [lost] = [document.id for document in engine.documents(HERE) if document.name == "papers/copper.md"]
        engine.index.delete_documents("w", [lost])
        assert [one.workspace for one in engine.reindex("w")] == ["w"]
        assert engine.index.count("w", lost) == 1


def test_a_change_of_mind_leaves_nothing_behind(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    with opening("turned:table") as engine:
        assert [one.done for one in engine.request_reindex("w")] == [None, 0]

        def stop(told: WorkspaceVectors) -> None:
            if told.done:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            engine.reindex("w", stop)
        assert [one.done for one in engine.vectors()] == [None, 4]
    with opening("static") as engine:
        assert engine.reindex() == []
        assert [(one.embedder, one.done) for one in engine.vectors()] == [("static", None)] * 2
        assert engine.index.records.in_state(VectorState.BUILDING) == []
        assert found(engine) == ALL


def test_what_was_asked_for_is_gone_on_with_by_the_next_process(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    with opening("turned:table") as engine:
        engine.request_reindex("w")
    with opening("turned:table") as engine:
        engine.continue_reindex(lambda _: None)
        assert [one.embedder for one in engine.vectors()] == ["static", "turned:table"]


def test_weights_that_are_gone_are_told_with_the_command_that_helps(
    settings: Settings, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr("docmind.models.embedders.versioned", lambda _: "static@00000000")
        with DocMind(settings) as engine:
            filled(engine, papers)
            assert found(engine) == ALL
    with DocMind(settings) as engine:
        (papers / "tin.md").write_text("# Tin\n\nTin is a soft metal.\n")
        for refused in (lambda: engine.search("steel", HERE), lambda: engine.ingest([papers], HERE)):
            with pytest.raises(
                StoreMismatch, match=r"'w' was made with other weights of .*'static'.*`docmind reindex`"
            ):
                refused()
        assert engine.vectors()[1] == WorkspaceVectors("w", "static", 4, False, None)
        engine.reindex()
        assert found(engine) == ALL
        assert engine.ingest([papers], HERE).unchanged == 3
        assert engine.vectors()[1].is_current


def test_the_same_weights_are_the_same_embedder_whatever_they_are_called(
    settings: Settings, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = versioned("static").partition("@")[2]
    with monkeypatch.context() as before:
        before.setattr("docmind.models.embedders.versioned", lambda _: f"table@{digest}")
        with DocMind(settings) as engine:
            filled(engine, papers)
    with DocMind(settings) as engine:
        assert all(one.is_current for one in engine.vectors())
        assert found(engine) == ALL
        assert engine.ingest([papers], HERE).unchanged == 3
        assert engine.reindex() == []


def test_an_index_that_was_moved_away_is_written_by_the_embedder_that_is_set(opening: Opening, papers: Path) -> None:
    with opening("static") as engine:
        filled(engine, papers)
        folder = engine.settings.home / "index"
    folder.rename(folder.with_name("old"))
    with opening("turned:table") as engine:
        engine.ingest([papers], HERE)
        assert found(engine) == ALL
        assert engine.vectors()[1].embedder == "turned:table"


def test_a_search_that_comes_too_late_for_the_old_vectors_takes_the_new_ones(
    opening: Opening, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opening("static") as engine:
        filled(engine, papers)
    with opening("turned:table") as engine:
        original = EdgeIndex.search
        late = iter([lambda: engine.reindex("w")])

        def search(self: EdgeIndex, *arguments: object) -> object:
            next(late, lambda: [])()
            return original(self, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(EdgeIndex, "search", search)
        assert found(engine) == ALL
