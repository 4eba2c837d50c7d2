"""Search finds what is relevant, says how sure it is, and says nothing twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.domain.search import Filters
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings
from tests.stores import copied

SCOPE = Scope("w")

PAGES = {
    "leave.md": "# Leave\n\nEvery employee has thirty days of paid leave a year.",
    "travel.md": "# Travel\n\nJourneys by train are booked in second class.",
    "budget-a.md": "# Plant\n\nThe capital budget of the Ostrava plant for 2026 to 2028 is EUR 42 million in total.",
    "budget-b.md": "# Plant\n\nThe capital budget of the Ostrava plant for 2026 to 2028 is EUR 47 million in total.",
    "budget-copy.md": "# Plant\n\nThe capital budget of the Ostrava plant for 2026 to 2028 is: EUR 42 million in total",
}


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read the pages, made once."""
    root = tmp_path_factory.mktemp("stock")
    folder, one_reader = root / "pages", IngestSettings(workers=1)
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    with DocMind(
        Settings(data_dir=root / "data", models=ModelSettings(embedder="static"), ingest=one_reader)
    ) as engine:
        engine.ingest([folder], SCOPE)
    return root / "data"


@pytest.fixture
def filled(stock: Path, settings: Settings) -> Iterator[DocMind]:
    copied(stock, settings.home)
    with DocMind(settings) as engine:
        yield engine


def test_the_passage_that_answers_comes_first_with_its_exact_place(filled: DocMind) -> None:
    hit = filled.search("How many days of leave do employees have?", SCOPE)[0]
    assert hit.document.name == "pages/leave.md"
    assert hit.passage.span.of(filled.text(hit.document)) == hit.passage.text
    assert hit.passage.heading == ("Leave",)


def test_scores_fall_and_stay_between_zero_and_one(filled: DocMind) -> None:
    scores = [hit.relevance_score for hit in filled.search("paid leave", SCOPE)]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)


def test_a_question_about_something_else_is_not_called_relevant(filled: DocMind) -> None:
    answered = filled.search("How many days of paid leave does every employee have a year?", SCOPE)[0]
    foreign = filled.search("Which volcano erupted in Iceland?", SCOPE)[0]
    assert foreign.relevance_score < 0.1
    assert answered.relevance_score > 0.5
    assert filled.search("Which volcano erupted in Iceland?", SCOPE, min_score=0.5) == []


def test_a_repeated_passage_is_shown_once_but_a_different_figure_is_never_hidden(filled: DocMind) -> None:
    hits = [
        hit
        for hit in filled.search("capital budget of the Ostrava plant", SCOPE)
        if hit.passage.heading[0].startswith("Plant")
    ]
    figures = sorted(hit.passage.text.split("EUR ")[1][:2] for hit in hits)
    assert figures == ["42", "47"]
    assert sorted(len(hit.duplicates) for hit in hits) == [0, 1]


def test_filters_narrow_and_exclusions_hold(filled: DocMind) -> None:
    first = filled.search("capital budget", SCOPE)[0]
    without = filled.search("capital budget", SCOPE, filters=Filters(exclude_passages=(first.passage.id,)))
    assert first.passage.id not in {hit.passage.id for hit in without}
    only = filled.search("capital budget", SCOPE, filters=Filters(document_id=(first.document.id,)))
    assert {hit.document.id for hit in only} == {first.document.id}


def test_an_unfinished_document_is_not_found(filled: DocMind) -> None:
    leave = filled.document("leave.md", SCOPE)
    filled.catalogue.retire([leave.id])
    assert leave.id not in {hit.document.id for hit in filled.search("paid leave", SCOPE)}


@pytest.mark.parametrize("question", ["", " \n ", "\0"])
def test_an_empty_question_is_refused_in_words(filled: DocMind, question: str) -> None:
    with pytest.raises(InvalidQuery, match="empty"):
        filled.search(question, SCOPE)


def test_a_question_without_words_still_searches(filled: DocMind) -> None:
    assert filled.search("???", SCOPE)
    assert filled.search("the of and", SCOPE)
    assert filled.search("leave \ud800", SCOPE)


def test_an_overlong_question_is_refused_in_words(filled: DocMind) -> None:
    with pytest.raises(InvalidQuery, match="100,000 characters"):
        filled.search("x" * 100_000, SCOPE)


def test_nothing_is_found_where_nothing_was_ingested(engine: DocMind) -> None:
    assert engine.search("anything", Scope("empty")) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Yes", "No"),
        (
            "The margin of the Ostrava plant rose to 1.5 per cent",
            "The margin of the Ostrava plant rose to 5.1 per cent",
        ),
        ("Staff at the site went from 10 up to 12", "Staff at the site went from 12 up to 10"),
        ("The result of the year was 338 in all", "The result of the year was (338 in all"),
    ],
)
def test_passages_of_other_words_or_figures_are_both_shown(
    engine: DocMind, tmp_path: Path, one: str, other: str
) -> None:
    filler = (
        "" if one == "Yes" else ". It was told to the board and to the works council in the usual way and in full" * 3
    )
    for name, text in (("one.txt", one), ("other.txt", other)):
        (tmp_path / name).write_text(text + filler)
    engine.ingest([tmp_path / "one.txt", tmp_path / "other.txt"], SCOPE)
    assert len(engine.search("What is it?", SCOPE)) == 2


def test_more_may_be_asked_for_than_a_database_takes_at_once(filled: DocMind) -> None:
    assert len(filled.search("plant", SCOPE, limit=100_000)) == 4
