"""The embedders: MiniLM to search with, a static table for very large ingests, and those of providers."""

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docmind.domain.cores import usable_cores
from docmind.domain.errors import EmbeddingError
from docmind.models.embedding import Vectors
from docmind.models.inference import ModelSession, load_tokenizer, token_ids
from docmind.models.weights import (
    MINILM_MODEL,
    MINILM_TOKENIZER,
    STATIC_ROWS,
    STATIC_SCALES,
    STATIC_TOKENIZER,
    versioned,
)

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from tokenizers import Tokenizer


_MINILM_TOKENS = 256
_REMEMBERED_QUESTIONS = 256
"""Questions: the same one is told from other messages, and then searched for."""


class MiniLMEmbedder:
    """Loaded on first use."""

    dimension = 384

    def __init__(self, *, threads: int | None = None, model: Path = MINILM_MODEL) -> None:
        self._threads = threads or usable_cores()
        self._model = model
        self.name = versioned("minilm")
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, ModelSession] | None = None
        self._remembered = lru_cache(maxsize=_REMEMBERED_QUESTIONS)(self._embed_query)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        tokenizer, session = self._load()

        def keep(places: Sequence[int], outputs: list[Any]) -> None:
            vectors[places] = outputs[0]

        session.run_all(token_ids(tokenizer, texts), keep)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        return self._remembered(text)

    def _embed_query(self, text: str) -> Vectors:
        tokenizer, session = self._load()
        vector: Vectors = session.run(token_ids(tokenizer, [text]))[0][0]
        vector.setflags(write=False)
        return vector

    def _load(self) -> tuple["Tokenizer", ModelSession]:
        with self._loading:
            if self._loaded is None:
                tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=_MINILM_TOKENS)
                self._loaded = tokenizer, ModelSession(self._model, threads=self._threads, error=EmbeddingError)
            return self._loaded


# A passage is far shorter; the cap keeps one enormous text from filling memory.
_STATIC_TOKENS = 8192
# Bounds the token ids that are held at once, so that memory does not grow with the number of texts.
_TEXTS_PER_STEP = 1024


class StaticEmbedder:
    """Loaded on first use."""

    dimension = 256

    def __init__(self) -> None:
        self.name = versioned("static")
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, TokenTable] | None = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        tokenizer, table = self._load()
        for start in range(0, len(texts), _TEXTS_PER_STEP):
            step = slice(start, start + _TEXTS_PER_STEP)
            vectors[step] = table.means(token_ids(tokenizer, texts[step], special=False))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self.embed_passages([text])[0]
        return vector

    def _load(self) -> tuple["Tokenizer", "TokenTable"]:
        with self._loading:
            if self._loaded is None:
                self._loaded = load_static()
            return self._loaded


def load_static() -> tuple["Tokenizer", "TokenTable"]:
    """The tokenizer and the table that ship with the package."""
    tokenizer = load_tokenizer(STATIC_TOKENIZER, max_tokens=_STATIC_TOKENS)
    return tokenizer, _open_table(STATIC_ROWS, STATIC_SCALES, tokenizer.token_to_id("[UNK]") or 0)


class TokenTable:
    """A vector a token; unknown tokens add nothing, and a text of nothing else is embedded as the unknown token."""

    def __init__(self, rows: Path, scales: Path, unknown: int) -> None:
        try:
            self._rows: Vectors = np.load(rows).astype(np.float32) * np.load(scales)
        except (OSError, ValueError) as error:
            raise EmbeddingError(f"The static table cannot be loaded ({error}): install docmind again.") from error
        self._nothing = self._rows[unknown] / np.linalg.norm(self._rows[unknown])
        self._rows[unknown] = 0

    def means(self, ids: Sequence[list[int]]) -> Vectors:
        """Unit means; the sum points the same way, so nothing is divided by a count."""
        sums = self.sums(ids)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Vectors = np.where(norms > 0, sums / np.maximum(norms, 1e-12), self._nothing)
        return unit

    def sums(self, ids: Sequence[list[int]]) -> Vectors:
        sums = np.empty((len(ids), self._rows.shape[1]), dtype=np.float32)
        # Text by text, because one text's token vectors stay in the cache and a batch's do not: five times as quick.
        for row, text in enumerate(ids):
            np.add.reduce(self._rows[np.array(text, dtype=np.intp)], axis=0, out=sums[row])
        return sums


@lru_cache(maxsize=1)
def _open_table(rows: Path, scales: Path, unknown: int) -> TokenTable:
    """Loaded once a process, however many engines use it: nobody changes a table."""
    return TokenTable(rows, scales, unknown)


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
