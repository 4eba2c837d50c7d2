"""Reading the first passages again moves those that answer up, and its scores are probabilities like the others."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.rerank import READ_CHARS, Rescore, excerpt, shipped_rescore
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, SearchSettings, Settings

SCOPE = Scope("w")
READ = 3
WARRANTY = "For how many years does the warranty of the boiler last?"
PAGES = {
    "terms.md": "# Boiler\n\nShould it break within five years of purchase, we repair or replace it free of charge.",
    "talk.md": "# Boiler warranty\n\nHow long is the warranty of the boiler? Ask the shop about the boiler's warranty.",
    "care.md": "# Boiler care\n\nThe boiler is cleaned once a year by a person with a licence.",
    "leave.md": "# Leave\n\nEvery employee has thirty days of paid leave a year.",
}

probabilities = st.floats(0, 1)
logits = st.floats(-30, 30)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an installation that has read the pages."""
    folder, data = tmp_path_factory.mktemp("pages"), tmp_path_factory.mktemp("data")
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    with opened(data, rerank=0) as engine:
        engine.ingest([folder], SCOPE)
    return data


def opened(data: Path, *, rerank: int) -> DocMind:
    return DocMind(
        Settings(data_dir=data, models=ModelSettings(embedder="static"), search=SearchSettings(rerank=rerank))
    )


def scores(engine: DocMind, query: str, min_score: float = 0.0) -> dict[str, float]:
    hits = engine.search(query, SCOPE, min_score=min_score)
    return {Path(hit.document.name).name: hit.relevance_score for hit in hits}


def before_and_after(store: Path, query: str) -> list[dict[str, float]]:
    """What is found without and with reranking."""
    found = []
    for rerank in (0, READ):
        with opened(store, rerank=rerank) as engine:
            found.append(scores(engine, query))
    return found


def test_the_passage_that_answers_gains_on_the_one_that_only_repeats_the_question(store: Path) -> None:
    before, after = before_and_after(store, WARRANTY)
    assert after["terms.md"] / after["talk.md"] > 1.5 * before["terms.md"] / before["talk.md"]


def test_passages_beyond_those_read_come_after_them_and_never_score_more(store: Path) -> None:
    before, after = before_and_after(store, WARRANTY)
    assert list(after.values()) == sorted(after.values(), reverse=True)
    assert set(list(after)[:READ]) == set(list(before)[:READ])
    assert list(after)[READ:] == list(before)[READ:]
    assert all(after[name] <= before[name] for name in list(after)[READ:])


def test_the_least_score_asked_for_is_that_after_reading(store: Path) -> None:
    with opened(store, rerank=READ) as engine:
        found = scores(engine, WARRANTY)
        least = list(found.values())[1]
        assert list(scores(engine, WARRANTY, min_score=least)) == list(found)[:2]


def test_a_question_about_something_else_is_still_not_called_relevant(store: Path) -> None:
    with opened(store, rerank=READ) as engine:
        assert max(scores(engine, "Which volcano erupted in Iceland?").values()) < 0.1


def test_nothing_is_read_where_nothing_is_found(store: Path) -> None:
    with opened(store, rerank=READ) as engine:
        assert engine.search("anything", Scope("empty")) == []


@given(probabilities, logits)
def test_the_new_score_is_a_probability(first: float, read: float) -> None:
    assert 0.0 <= shipped_rescore().score(first, read) <= 1.0


@given(probabilities, probabilities, logits, logits)
def test_more_of_either_signal_never_scores_less(first: float, other: float, read: float, other_read: float) -> None:
    model = shipped_rescore()
    lower, higher = sorted((first, other))
    less, more = sorted((read, other_read))
    assert model.score(lower, less) <= model.score(higher, less) <= model.score(higher, more)


def test_both_signals_count() -> None:
    model = shipped_rescore()
    assert model.score(0.4, 0) < model.score(0.5, 0) < model.score(0.5, 1)
    assert Rescore(0, 1, 0).score(0.3, 9) == pytest.approx(0.3)


def test_the_excerpt_has_the_headings_and_the_sentences_nearest_to_the_question() -> None:
    filler = [f"Sentence number {number} is about the weather of the season." for number in range(40)]
    text = " ".join((*filler, "The warranty lasts five years.", *filler))
    read = excerpt("How long does the warranty last?", text, ("Boiler", "Terms"))
    heading, nearest = read.split("\n")
    assert heading == "Boiler > Terms"
    assert "The warranty lasts five years." in nearest
    assert len(nearest) <= READ_CHARS


@given(st.text(max_size=200))
def test_any_text_has_an_excerpt(text: str) -> None:
    assert len(excerpt("anything", text)) <= max(len(text), READ_CHARS)
