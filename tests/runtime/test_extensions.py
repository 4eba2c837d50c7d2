"""Workflows, loaders, embedders and skills of other packages at work in an engine, and what becomes of broken ones."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.corpus.load import load
from docmind.domain.errors import EmbeddingError, FileRejected, InvalidQuery
from docmind.domain.extensions import everything
from docmind.domain.scope import Scope
from docmind.models.embedding import open_embedder
from docmind.runtime.engine import DocMind
from docmind.skills.added import Skill, WiderSearch
from tests.packages import put

SCOPE = Scope("default")
UNBUILDABLE = """
from dataclasses import replace
from docmind.runtime.workflows import DOCS

def build(services, checkpointer):
    raise ValueError("no nodes")

STUCK = replace(DOCS, name="stuck", build=build)
MISNAMED = DOCS
"""
MODULES = {
    "acme": "def nothing(data, limits):\n    return 'text'\n\ndef unopened():\n    raise OSError('no weights')\n",
    "acme_workflows": UNBUILDABLE,
}
POINTS = {
    "docmind.workflows": {"stuck": "acme_workflows:STUCK", "misnamed": "acme_workflows:MISNAMED", "gone": "acme:GONE"},
    "docmind.loaders": {"acme": "acme:nothing", ".dotted": "acme:nothing", "pdf": "acme:nothing"},
    "docmind.embedders": {"acme": "acme:unopened", "minilm": "acme:unopened"},
    "docmind.skills": {"acme": "acme:nothing"},
}


@pytest.fixture(autouse=True)
def _looked_up_anew() -> Iterator[None]:
    everything.cache_clear()
    yield
    everything.cache_clear()


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, monkeypatch, "acme-docmind", MODULES, POINTS)


@pytest.mark.usefixtures("acme")
def test_each_broken_extension_is_a_sentence_and_nothing_else_stops(engine: DocMind) -> None:
    told = engine.extension_problems()
    of = "of the package acme-docmind cannot be used: "
    assert told == [
        f"The workflow 'gone' {of}acme:GONE cannot be imported "
        "(AttributeError: module 'acme' has no attribute 'GONE').",
        f"The workflow 'misnamed' {of}acme_workflows:MISNAMED calls itself 'docs'.",
        f"The loader '.dotted' {of}acme:nothing is not registered under the end of a file name in small letters "
        "without its dot, such as 'vtt'.",
        f"The loader 'pdf' {of}its name is taken by docmind itself.",
        f"The embedder 'minilm' {of}its name is taken by docmind itself.",
        f"The skill 'acme' {of}acme:nothing is of type function and not a Skill.",
        "The workflow 'stuck' cannot be used: its graph cannot be built (ValueError('no nodes')).",
    ]
    assert "stuck" not in {one.name for one in engine.workflows()}
    assert "docs" in {one.name for one in engine.workflows()}
    assert engine.run("How long are receipts kept?", SCOPE).answer


@pytest.mark.usefixtures("acme")
def test_whoever_asks_for_a_broken_one_by_name_is_told_why(engine: DocMind) -> None:
    with pytest.raises(InvalidQuery, match="'misnamed' of the package acme-docmind cannot be used"):
        engine.run("How long are receipts kept?", SCOPE, workflow="misnamed")
    with pytest.raises(InvalidQuery, match=r"choose from docs, .*, stuck"):
        engine.run("How long are receipts kept?", SCOPE, workflow="nowhere")
    with pytest.raises(FileRejected, match="the loader that is installed for ACME gives no document"):
        load(b"something", "minutes.acme")
    with pytest.raises(EmbeddingError, match="The embedder acme cannot be opened: no weights"):
        open_embedder("acme").embed_query("text")


@pytest.mark.usefixtures("acme")
def test_a_file_of_another_kind_under_the_ending_of_an_added_loader_is_read_as_what_it_is() -> None:
    assert load(rb"{\rtf1 The board met.}", "minutes.acme").media_type == "application/rtf"


def test_a_skill_that_fails_is_told_of_once_and_the_search_goes_on(
    engine: DocMind, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "leave.md").write_text("# Leave\n\nEverybody has 25 days of paid time off a year.\n")
    engine.ingest([tmp_path / "leave.md"], SCOPE)

    def broken(question: str) -> list[str]:
        raise KeyError(question)

    search = WiderSearch(engine, {"broken": Skill("Fails.", broken)})
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert [hit.document.name for hit in engine._loop.call(search.asearch("paid time off", SCOPE))] == [
                "leave.md"
            ]
    assert len(caplog.records) == 1
    assert "The skill 'broken' failed" in caplog.text


def test_what_a_skill_looks_for_besides_is_found_too_and_each_passage_once(engine: DocMind, tmp_path: Path) -> None:
    for name, text in (
        ("leave", "Everybody has 25 days of paid time off a year."),
        ("fleet", "The PTO shaft of the tractor."),
    ):
        (tmp_path / f"{name}.md").write_text(f"{text}\n")
    engine.ingest([tmp_path / "leave.md", tmp_path / "fleet.md"], SCOPE)
    plain = engine.search("days of PTO", SCOPE)
    search = WiderSearch(
        engine, {"glossary": Skill("Writes PTO out.", lambda question: [question.replace("PTO", "paid time off")])}
    )
    wider = engine._loop.call(search.asearch("days of PTO", SCOPE))
    assert sorted(hit.document.name for hit in wider) == ["fleet.md", "leave.md"]
    scores = [{hit.document.name: hit.relevance_score for hit in hits} for hits in (plain, wider)]
    assert scores[1]["leave.md"] > scores[0].get("leave.md", 0.0)
    assert wider[0].document.name == "leave.md"
