"""The shipped int8 model: what its vectors are, and that batching never shows in them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from docmind.domain.errors import EmbeddingError
from docmind.models.embedders import MiniLMEmbedder
from docmind.models.embedding import open_embedder

TEXTS = [
    "The warehouse in Lisbon was closed for repairs in March.",
    "Revenue grew by eleven per cent.",
    "Our storage building in Portugal stayed shut during spring for maintenance. " * 12,
    "A cat sleeps on the sofa.",
    "",
]


@pytest.fixture(scope="module")
def minilm() -> MiniLMEmbedder:
    return MiniLMEmbedder(threads=2)


def test_every_text_gets_a_unit_vector(minilm: MiniLMEmbedder) -> None:
    vectors = minilm.embed_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), minilm.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_texts_that_mean_the_same_are_nearer_than_texts_that_do_not(minilm: MiniLMEmbedder) -> None:
    closed, revenue, shut, cat, _ = minilm.embed_passages(TEXTS)
    assert closed @ shut > max(closed @ revenue, closed @ cat) + 0.3


def test_a_text_has_one_vector_to_the_byte_whatever_it_is_batched_with(minilm: MiniLMEmbedder) -> None:
    texts = [*TEXTS, *(f"{'steel and copper ' * (number % 9)}in the year {number}" for number in range(30))]
    together, alone = minilm.embed_passages(texts), np.stack([minilm.embed_query(text) for text in texts])
    on_one_core = MiniLMEmbedder(threads=1).embed_passages(texts[::-1])[::-1]
    assert np.array_equal(together, alone)
    assert np.array_equal(together, on_one_core)


def test_vectors_come_back_in_the_order_of_the_texts(minilm: MiniLMEmbedder) -> None:
    texts = [f"{'word ' * (index * 7 % 30)}number {index}" for index in range(40)]
    shuffled = minilm.embed_passages(texts)
    backwards = minilm.embed_passages(texts[::-1])[::-1]
    assert (np.sum(shuffled * backwards, axis=1) > 0.999).all()


def test_only_the_first_256_tokens_count(minilm: MiniLMEmbedder) -> None:
    start = "apple " * 254
    cut, whole = minilm.embed_passages([start, start + "an entirely different ending about submarines"])
    assert cut @ whole > 0.999


@pytest.mark.parametrize(
    "text", ["", "   \n\t", "\x00\x07", "\ud800 broken \udfff", "日本語の文書", "x" * 50_000, "🜚" * 300]
)
def test_odd_texts_still_get_unit_vectors(minilm: MiniLMEmbedder, text: str) -> None:
    for vector in (minilm.embed_query(text), minilm.embed_passages([text])[0]):
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(minilm: MiniLMEmbedder) -> None:
    assert minilm.embed_passages([]).shape == (0, 384)


def test_threads_share_one_embedder() -> None:
    embedder = MiniLMEmbedder(threads=2)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embedder.embed_passages(TEXTS), range(4)))
    assert all(np.allclose(result, results[0], atol=1e-4) for result in results)


def test_a_broken_model_file_is_reported_in_a_sentence(tmp_path: Path) -> None:
    broken = tmp_path / "model.onnx"
    broken.write_bytes(b"not a model")
    with pytest.raises(EmbeddingError, match=r"model\.onnx cannot be loaded"):
        MiniLMEmbedder(model=broken).embed_query("anything")


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(EmbeddingError, match="minilm or static"):
        open_embedder("minilmm")
