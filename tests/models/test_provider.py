"""Providers through LangChain, with real LangChain embeddings that need no network."""

import sys

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from docmind.domain.errors import EmbeddingError
from docmind.models.embedders import ProviderEmbedder
from docmind.models.embedding import open_embedder


class Recording(Embeddings):
    """Answers with the length of each text, and remembers what it was sent."""

    def __init__(self) -> None:
        self.requests: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.requests.append(texts)
        return [[float(len(text)), 1.0, 2.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Refusing(Recording):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise RuntimeError("rate limit\nreached")


class Forgetful(Recording):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return super().embed_documents(texts)[:-1]


def test_vectors_are_brought_to_unit_length() -> None:
    embedder = ProviderEmbedder("fake:unit", DeterministicFakeEmbedding(size=12))
    vectors = embedder.embed_passages(["one", "two"])
    assert vectors.shape == (2, 12)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert embedder.embed_query("one").shape == (12,)


def test_the_dimension_is_asked_once() -> None:
    model = Recording()
    embedder = ProviderEmbedder("fake:dimension", model)
    assert (embedder.dimension, embedder.dimension) == (3, 3)
    assert len(model.requests) == 1


def test_many_texts_go_in_several_requests_and_keep_their_order() -> None:
    model = Recording()
    texts = ["x" * (index + 1) for index in range(250)]
    vectors = ProviderEmbedder("fake:batches", model).embed_passages(texts)
    assert [text for request in model.requests for text in request] == texts
    assert len(model.requests) == 3
    assert np.allclose(vectors[:, 0] / vectors[:, 1], np.arange(1, 251), rtol=1e-4)


def test_what_a_provider_would_refuse_is_not_sent() -> None:
    model = Recording()
    ProviderEmbedder("fake:odd", model).embed_passages(["", " ", "\ud800half"])
    assert all(text.strip() and text.encode() for text in model.requests[0])


def test_no_texts_give_no_vectors() -> None:
    assert ProviderEmbedder("fake:none", Recording()).embed_passages([]).shape == (0, 3)


def test_a_providers_failure_is_one_line_that_names_it() -> None:
    with pytest.raises(EmbeddingError, match="fake:down failed: rate limit reached"):
        ProviderEmbedder("fake:down", Refusing()).embed_passages(["text"])


def test_a_missing_vector_is_an_error_and_not_a_shift() -> None:
    with pytest.raises(EmbeddingError, match="one finite vector for each text"):
        ProviderEmbedder("fake:short", Forgetful()).embed_passages(["one", "two"])


def test_a_missing_provider_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_mistralai", None)
    with pytest.raises(EmbeddingError, match="pip install langchain-mistralai"):
        open_embedder("mistralai:mistral-embed").embed_query("text")


def test_a_provider_nobody_knows_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="nowhere:model cannot be opened"):
        open_embedder("nowhere:model").embed_query("text")
