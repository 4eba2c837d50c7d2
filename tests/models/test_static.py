"""The static table: means of token vectors."""

import numpy as np
import pytest

from docmind.models.embedders import StaticEmbedder
from docmind.models.embedding import open_embedder


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    return StaticEmbedder()


def test_every_text_gets_a_unit_vector(static: StaticEmbedder) -> None:
    vectors = static.embed_passages([f"passage number {index} about ships" for index in range(600)])
    assert vectors.shape == (600, 256)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_word_order_does_not_matter_but_words_do(static: StaticEmbedder) -> None:
    one, turned, other = static.embed_passages(["sail the blue ship", "ship blue the sail", "quarterly tax return"])
    assert one @ turned > 0.9999
    assert one @ other < 0.5


def test_a_query_and_a_passage_of_the_same_words_are_the_same_vector(static: StaticEmbedder) -> None:
    passages = static.embed_passages(["something much longer that stands before it", "opening hours"])
    assert np.allclose(static.embed_query("opening hours"), passages[1], atol=1e-6)


@pytest.mark.parametrize("text", ["", " \n", "\x00", "\ud800", "🜚🜚", "word " * 20_000])
def test_odd_texts_still_get_unit_vectors(static: StaticEmbedder, text: str) -> None:
    assert np.linalg.norm(static.embed_query(text)) == pytest.approx(1, abs=1e-5)


def test_unknown_tokens_do_not_colour_a_text(static: StaticEmbedder) -> None:
    plain, strange = static.embed_passages(["harbour", "harbour 🜚"])
    assert plain @ strange > 0.9999


def test_no_texts_give_no_vectors(static: StaticEmbedder) -> None:
    assert static.embed_passages([]).shape == (0, 256)


def test_the_door_opens_it_without_a_cache(static: StaticEmbedder) -> None:
    assert isinstance(open_embedder("static"), StaticEmbedder)
