"""The relevance score is a probability that means the same whatever the embedder."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.index.contract import Candidate
from docmind.corpus.relevance import REFERENCE, Likeness, Relevance, measure_likeness, open_relevance
from docmind.models.embedding import LOCAL_EMBEDDERS, Embedder, Vectors, open_embedder

SHIPPED = json.loads(files("docmind.corpus").joinpath("relevance.json").read_text("utf-8"))
MODELS = [Relevance(**weights) for weights in SHIPPED["models"].values()]

models = st.sampled_from(MODELS)
cosines = st.floats(-1, 1)
scores = st.floats(0, 200)
totals = st.integers(1, 10_000_000)


class Lifted:
    """A real embedder with one dimension added that all texts share: every cosine c becomes (1 - lift) * c + lift."""

    def __init__(self, below: Embedder, lift: float) -> None:
        self._below = below
        self._lift = lift
        self.name = f"lifted:{lift}"
        self.dimension = below.dimension + 1
        self.asked = 0

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += len(texts)
        vectors = self._below.embed_passages(texts)
        shared = np.full((len(texts), 1), np.sqrt(self._lift), dtype=np.float32)
        return np.hstack([vectors * np.float32(np.sqrt(1 - self._lift)), shared])

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed_passages([text])[0]
        return vector


def score(model: Relevance, cosine: float, bm25: float, ideal: float = 30.0, total: int = 1000) -> float:
    return model.score(Candidate("id", cosine, bm25), ideal, total)


@given(models, cosines, scores, scores, totals)
def test_the_score_is_a_probability(model: Relevance, cosine: float, bm25: float, ideal: float, total: int) -> None:
    assert 0.0 <= score(model, cosine, bm25, ideal, total) <= 1.0


@given(models, cosines, cosines, scores, scores)
def test_a_passage_nearer_in_meaning_or_words_never_scores_less(
    model: Relevance, cosine: float, other_cosine: float, bm25: float, other_bm25: float
) -> None:
    lower, higher = sorted((cosine, other_cosine))
    fewer, more = sorted((bm25, other_bm25))
    assert score(model, lower, fewer) <= score(model, higher, fewer) <= score(model, higher, more)
    assert score(model, lower, fewer) <= score(model, lower, more)


@pytest.mark.parametrize("model", MODELS)
def test_both_signals_count(model: Relevance) -> None:
    assert score(model, 0.5, 10) < score(model, 0.6, 10)
    assert score(model, 0.5, 10) < score(model, 0.5, 12)


@given(models, cosines, scores, totals, totals)
def test_the_more_passages_there_are_the_more_it_takes_to_be_believed(
    model: Relevance, cosine: float, bm25: float, total: int, other_total: int
) -> None:
    fewer, more = sorted((total, other_total))
    assert score(model, cosine, bm25, total=more) <= score(model, cosine, bm25, total=fewer)


@given(models, cosines, scores, st.floats(0.05, 3), st.floats(-1, 1))
def test_cosines_that_are_scaled_and_shifted_give_the_same_scores_once_aligned(
    model: Relevance, cosine: float, bm25: float, scale: float, shift: float
) -> None:
    ours = Likeness(**SHIPPED["likeness"])
    theirs = Likeness(scale * ours.related + shift, scale * ours.unrelated + shift)
    aligned = model.aligned(theirs, ours)
    assert score(aligned, scale * cosine + shift, bm25) == pytest.approx(score(model, cosine, bm25), abs=1e-9)


@given(models, cosines, scores, cosines, st.floats(-0.01, 0.01))
def test_an_embedder_that_cannot_tell_texts_apart_still_gets_probabilities(
    model: Relevance, cosine: float, bm25: float, unrelated: float, gap: float
) -> None:
    aligned = model.aligned(Likeness(unrelated + gap, unrelated), Likeness(**SHIPPED["likeness"]))
    assert 0.0 <= score(aligned, cosine, bm25) <= 1.0


def test_weights_ship_for_every_local_embedder_and_need_no_measuring(tmp_path: Path) -> None:
    assert set(LOCAL_EMBEDDERS) <= set(SHIPPED["models"])
    for name in LOCAL_EMBEDDERS:
        assert open_relevance(open_embedder(name), tmp_path) == Relevance(**SHIPPED["models"][name])
    assert list(tmp_path.glob("relevance*")) == []


def test_the_shipped_likeness_is_what_the_reference_measures() -> None:
    measured = measure_likeness(open_embedder(REFERENCE))
    assert measured.related == pytest.approx(SHIPPED["likeness"]["related"], abs=0.005)
    assert measured.unrelated == pytest.approx(SHIPPED["likeness"]["unrelated"], abs=0.005)


@pytest.mark.parametrize("lift", [0.3, 0.8])
def test_an_unknown_embedder_scores_as_the_reference_would(tmp_path: Path, lift: float) -> None:
    unknown = open_relevance(Lifted(open_embedder(REFERENCE), lift), tmp_path)
    reference = Relevance(**SHIPPED["models"][REFERENCE])
    for cosine in (0.1, 0.4, 0.6, 0.8):
        expected = score(reference, cosine, bm25=15)
        assert score(unknown, (1 - lift) * cosine + lift, bm25=15) == pytest.approx(expected, abs=0.02)


def test_an_unknown_embedder_is_measured_once_and_what_was_found_is_kept(tmp_path: Path) -> None:
    root = tmp_path / "not there yet"
    first, other = Lifted(open_embedder("static"), 0.5), Lifted(open_embedder("static"), 0.2)
    measured = open_relevance(first, root)
    assert first.asked > 0
    open_relevance(other, root)
    again = Lifted(open_embedder("static"), 0.5)
    assert open_relevance(again, root) == measured
    assert again.asked == 0


def test_what_is_kept_of_an_unknown_embedder_outlives_another_fit(tmp_path: Path) -> None:
    open_relevance(Lifted(open_embedder("static"), 0.5), tmp_path)
    [kept] = json.loads((tmp_path / "likeness.json").read_text("utf-8")).values()
    assert kept.keys() == {"related", "unrelated"}
