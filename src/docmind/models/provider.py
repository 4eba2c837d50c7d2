"""Embedders of other houses: any model that LangChain reaches by name, or one already built."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from docmind.domain.errors import EmbeddingError
from docmind.models.embedding import Vectors

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

# Providers cap a request at a hundred inputs or more.
_TEXTS_PER_REQUEST = 96


class ProviderEmbedder:
    """Vectors from a provider, brought to unit length. Retries are the provider's own."""

    def __init__(
        self,
        name: str,
        embeddings: "Embeddings | None" = None,
        *,
        build: "Callable[[], Embeddings] | None" = None,
    ) -> None:
        """`build` opens it when it is first needed; without, LangChain does, by its name."""
        self.name = name
        self._embeddings = embeddings
        self._build = build
        self._dimension: int | None = None
        self._opening = threading.Lock()

    @property
    def dimension(self) -> int:
        """Known once a first vector came; until then a word is embedded to see."""
        return self._dimension or len(self.embed_query("dimension"))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        model = self._open()
        sendable = [_sendable(text) for text in texts]
        starts = range(0, len(texts), _TEXTS_PER_REQUEST)
        requests = [sendable[start : start + _TEXTS_PER_REQUEST] for start in starts]
        return np.concatenate([self._ask(model.embed_documents, request) for request in requests])

    def embed_query(self, text: str) -> Vectors:
        model = self._open()
        vector: Vectors = self._ask(lambda request: [model.embed_query(request[0])], [_sendable(text)])[0]
        return vector

    def _ask(self, call: Callable[[list[str]], list[list[float]]], request: list[str]) -> Vectors:
        try:
            vectors = np.asarray(call(request), dtype=np.float32)
        except Exception as error:  # every provider has its own exceptions
            raise EmbeddingError(f"The embedder {self.name} failed: {_sentence(error)}") from error
        if vectors.ndim != 2 or len(vectors) != len(request) or not np.isfinite(vectors).all():
            raise EmbeddingError(f"The embedder {self.name} did not give one finite vector for each text.")
        if self._dimension not in (None, vectors.shape[1]):
            raise EmbeddingError(
                f"The embedder {self.name} changed its vectors' length from {self._dimension} to {vectors.shape[1]}."
            )
        self._dimension = vectors.shape[1]
        unit: Vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return unit

    def _open(self) -> "Embeddings":
        with self._opening:
            if self._embeddings is None:
                self._embeddings = _opened(self.name, self._build) if self._build else _build(self.name)
            return self._embeddings


def _opened(name: str, build: "Callable[[], Embeddings]") -> "Embeddings":
    try:
        embeddings = build()
    except Exception as error:  # other people's code, which may raise anything
        raise EmbeddingError(f"The embedder {name} cannot be opened: {_sentence(error)}") from error
    if not callable(getattr(embeddings, "embed_query", None)):
        raise EmbeddingError(f"The embedder {name} is no LangChain Embeddings: it cannot embed a query.")
    return embeddings


def _build(name: str) -> "Embeddings":
    from langchain.embeddings import init_embeddings

    try:
        return init_embeddings(name)
    except ImportError as error:
        raise EmbeddingError(f"The embedder {name} needs its provider's package: {_sentence(error)}") from error
    except Exception as error:  # every provider has its own exceptions
        raise EmbeddingError(
            f"The embedder {name} cannot be opened; is its key set and its name right? {_sentence(error)}"
        ) from error


def _sendable(text: str) -> str:
    """Providers refuse empty input, and half a surrogate pair has no UTF-8 form to send."""
    return text.encode("utf-8", "replace").decode() if text.strip() else "."


def _sentence(error: Exception) -> str:
    """What the provider said, on one line and not endless."""
    said = " ".join(str(error).split()) or type(error).__name__
    return said[:400].rstrip(".") + "."
