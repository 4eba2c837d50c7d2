"""Words as vectors: near in meaning, weighed by how much they say, the same however they are asked for."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from docmind.models import word_vectors
from docmind.models.word_vectors import WordVectors

VECTORS = WordVectors()


def _alike(one: str, other: str) -> float:
    vectors, _ = VECTORS.look_up([one, other])
    return float(vectors[0] @ vectors[1])


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [("revenue", "sales", "valve"), ("employee", "worker", "litre"), ("doctor", "physician", "bridge")],
)
def test_words_of_like_meaning_are_nearer_than_others(word: str, near: str, far: str) -> None:
    assert _alike(word, near) > _alike(word, far) + 0.2


def test_every_word_has_a_unit_vector_and_a_weight() -> None:
    vectors, weights = VECTORS.look_up(["revenue", "pneumonoultramicroscopic", "the", "revenue"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[3])
    assert weights[2] < weights[0]


@pytest.mark.parametrize("word", ["", " ", "\ud800", "\0", "売", "x" * 10_000])
def test_what_is_no_word_is_looked_up_all_the_same(word: str) -> None:
    vectors, weights = WordVectors().look_up([word])
    assert np.isfinite(vectors).all()
    assert np.isfinite(weights).all()


def test_no_words_have_no_vectors() -> None:
    vectors, weights = WordVectors().look_up([])
    assert len(vectors) == len(weights) == 0


def test_a_word_is_the_same_whatever_it_is_looked_up_with() -> None:
    alone, _ = WordVectors().look_up(["turbine"])
    among, _ = WordVectors().look_up([*(f"word{n}" for n in range(3000)), "turbine"])
    assert np.array_equal(alone[0], among[-1])


def test_what_was_forgotten_is_learnt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "_MAX_WORDS", 10)
    vectors = WordVectors()
    before, weights_before = vectors.look_up(["valve", "pump"])
    for n in range(30):
        vectors.look_up([f"valve{n}", f"pump{n}"])
    after, weights_after = vectors.look_up(["valve", "pump"])
    assert np.array_equal(before, after)
    assert np.array_equal(weights_before, weights_after)


def test_several_threads_get_what_one_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "_MAX_WORDS", 200)
    chance = random.Random(1)
    asked = [
        [f"{chance.choice(('valve', 'net', 'sale'))}{chance.randrange(300)}" for _ in range(40)] for _ in range(60)
    ]
    alone, shared = WordVectors(), WordVectors()
    expected = [alone.look_up(words) for words in asked]
    with ThreadPoolExecutor(8) as pool:
        for found, wanted in zip(pool.map(shared.look_up, asked), expected, strict=True):
            assert np.array_equal(found[0], wanted[0])
            assert np.array_equal(found[1], wanted[1])
