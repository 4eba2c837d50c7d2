"""The examples that ship: filled in once, and the questions on them that the page suggests are surely answered."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.answers import Status
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.runtime.examples import DISAGREEING, QUESTIONS, WORKSPACE, ExampleQuestion, example_files
from docmind.runtime.suggestions import SURE
from docmind.settings import IngestSettings, Settings

HERE = Scope(WORKSPACE)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """With the models as they ship."""
    root = tmp_path_factory.mktemp("examples")
    with DocMind(Settings(data_dir=root / "data", ingest=IngestSettings(workers=1))) as opened:
        opened.add_examples()
        yield opened


def test_the_examples_are_filled_in_once(engine: DocMind) -> None:
    names = {path.name for path in example_files()}
    assert {one.name for one in engine.documents(HERE)} == names
    assert engine.add_examples() == []
    assert engine.queue_examples() == []
    assert {one.file for one in QUESTIONS} <= names


def test_the_package_is_built_with_just_the_examples_that_it_offers() -> None:
    root = Path(__file__).parents[2]
    built = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    inside = {f"examples/{path.parent.name}/{path.name}" for path in example_files()}
    assert built["force-include"] == {name: f"docmind/{name}" for name in inside}


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda one: f"{one.workflow}: {one.question}")
def test_a_question_suggested_on_the_examples_is_very_likely_answered_right(
    engine: DocMind, asked: ExampleQuestion
) -> None:
    result = engine.run(asked.question, HERE, workflow=asked.workflow)
    assert result.status is Status.ANSWERED
    assert result.confidence >= SURE
    assert asked.file in {one.source for one in result.citations}


def test_the_demo_s_papers_disagree(engine: DocMind) -> None:
    result = engine.run(DISAGREEING, HERE, workflow="strategy")
    assert result.clarification is not None
    assert len(result.clarification.options) == 3


def test_what_was_answered_surely_is_suggested_with_its_answer_until_its_documents_go(engine: DocMind) -> None:
    assert {one.run for one in engine.suggested(HERE)} == {None}
    assert engine.without_suggestions() == WORKSPACE
    for _ in engine.find_suggestions(WORKSPACE):
        pass
    assert engine.without_suggestions() is None
    found = engine.suggested(HERE)
    assert [(one.workflow, one.question) for one in found] == [(one.workflow, one.question) for one in QUESTIONS]
    first = found[0]
    assert first.run is not None
    runs = len(engine.runs(HERE))
    taken = engine.take_suggestion(first.run, HERE)
    assert len(engine.runs(HERE)) == runs + 1
    assert engine.find_run(taken.run_id, HERE).question == first.question
    gone = next(one for one in engine.documents(HERE) if one.id in first.documents)
    engine.delete([gone.id], HERE)
    assert all(gone.id not in one.documents for one in engine.suggested(HERE))
    assert engine.without_suggestions() == WORKSPACE


def test_questions_that_documents_ask_themselves_are_tried_and_unsure_ones_are_not_suggested(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("faq")
    (folder / "faq.md").write_text(
        "# Questions on leave\n\n"
        "## How many days of annual leave do employees have?\n\nEmployees have 28 days of annual leave.\n\n"
        "## What is the name of the chief executive's dog?\n\nThe canteen opens at noon.\n"
    )
    scope = Scope("faq")
    with DocMind(settings) as engine:
        engine.ingest([folder], scope)
        for _ in engine.find_suggestions("faq"):
            pass
        questions = [one.question for one in engine.suggested(scope)]
        assert questions == ["How many days of annual leave do employees have?"]
        assert engine.workspaces()[0].runs == 0


def test_a_workspace_in_which_nothing_is_surely_answered_suggests_nothing(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("plain")
    (folder / "notes.md").write_text("# Notes\n\nThe gate opens at seven.\n")
    with DocMind(settings) as engine:
        engine.ingest([folder], Scope("plain"))
        assert engine.without_suggestions() == "plain"
        for _ in engine.find_suggestions("plain"):
            pass
        assert engine.suggested(Scope("plain")) == []
        assert engine.without_suggestions() is None


def test_a_question_to_an_empty_workspace_is_told_that_it_is_empty(settings: Settings) -> None:
    with DocMind(settings) as engine:
        for workflow in ("docs", "strategy", "finance", "chat"):
            result = engine.run("How long is the notice?", Scope("nothing"), workflow=workflow)
            assert result.status is Status.REFUSED
            assert "no documents" in result.answer
            assert result.clarification is None
