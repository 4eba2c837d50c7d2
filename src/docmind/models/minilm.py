"""The default embedder: all-MiniLM-L6-v2 in int8 on ONNX Runtime, good to search with and quick on a plain CPU."""

import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from docmind.domain.errors import EmbeddingError
from docmind.models.embedding import Vectors
from docmind.models.tokens import load_tokenizer, token_ids
from docmind.models.weights import MINILM_MODEL, MINILM_TOKENIZER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_MAX_TOKENS = 256
# Small enough for a batch's activations to stay near the caches, large enough to fill the matrix kernels.
_TOKENS_PER_BATCH = 2048


class MiniLMEmbedder:
    """Loaded on first use. Cores work on a batch each: sharing one batch, they would wait for each other."""

    name = "minilm"
    dimension = 384

    def __init__(self, *, threads: int | None = None, model: Path = MINILM_MODEL) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._model = model
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, Any] | None = None

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        tokenizer, session = self._load()

        def embed(batch: tuple[list[int], list[list[int]]]) -> None:
            rows, ids = batch
            vectors[rows] = _run(session, ids)

        batches = _by_length(token_ids(tokenizer, texts))
        with ThreadPoolExecutor(self._threads, thread_name_prefix="embed") as pool:
            for _ in pool.map(embed, batches):
                pass
        return vectors

    def embed_query(self, text: str) -> Vectors:
        tokenizer, session = self._load()
        vector: Vectors = _run(session, token_ids(tokenizer, [text]))[0]
        return vector

    def _load(self) -> tuple["Tokenizer", Any]:
        with self._loading:
            if self._loaded is None:
                self._loaded = load_tokenizer(MINILM_TOKENIZER, max_tokens=_MAX_TOKENS), _open_session(self._model)
            return self._loaded


def _open_session(model: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Every batch has its own shape, so a memory plan made for one is useless to the next.
    options.enable_mem_pattern = False
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's own exceptions have no common base
        raise EmbeddingError(f"The model {model.name} cannot be loaded ({error}): install docmind again.") from error


def _run(session: Any, ids: Sequence[Sequence[int]]) -> Vectors:
    lengths = np.fromiter(map(len, ids), dtype=np.int32, count=len(ids))
    padded = np.zeros((len(ids), int(lengths.max())), dtype=np.int32)
    padded[np.arange(padded.shape[1]) < lengths[:, None]] = np.concatenate([np.asarray(row, np.int32) for row in ids])
    try:
        vectors: Vectors = session.run(None, {"input_ids": padded, "lengths": lengths})[0]
    except Exception as error:  # the runtime's own exceptions have no common base
        raise EmbeddingError(f"ONNX Runtime failed to embed a batch of {len(ids)} texts: {error}") from error
    return vectors


def _by_length(ids: Sequence[list[int]]) -> Iterator[tuple[list[int], list[list[int]]]]:
    """Batches of like length with the rows they belong to, longest first so that no core ends on a long one alone."""
    order = sorted(range(len(ids)), key=lambda row: len(ids[row]), reverse=True)
    start = 0
    while start < len(order):
        size = max(1, _TOKENS_PER_BATCH // len(ids[order[start]]))
        rows = order[start : start + size]
        yield rows, [ids[row] for row in rows]
        start += size
