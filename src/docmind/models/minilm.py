"""The default embedder: all-MiniLM-L6-v2 in int8 on ONNX Runtime, good to search with and quick on a plain CPU."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docmind.domain.cores import usable_cores
from docmind.domain.errors import EmbeddingError
from docmind.models.embedding import Vectors
from docmind.models.sessions import ModelSession
from docmind.models.tokens import load_tokenizer, token_ids
from docmind.models.weights import MINILM_MODEL, MINILM_TOKENIZER, versioned

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MAX_TOKENS = 256
_REMEMBERED = 256
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
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._embed_query)

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
                tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=_MAX_TOKENS)
                self._loaded = tokenizer, ModelSession(self._model, threads=self._threads, error=EmbeddingError)
            return self._loaded
