"""The embedder for very large ingests: a table of token vectors, averaged. Tokenising is most of its cost."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from docmind.domain.errors import EmbeddingError
from docmind.models.embedding import Vectors
from docmind.models.tokens import load_tokenizer, token_ids
from docmind.models.weights import STATIC_ROWS, STATIC_SCALES, STATIC_TOKENIZER, versioned

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# A passage is far shorter; the cap keeps one enormous text from filling memory.
_MAX_TOKENS = 8192
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
    tokenizer = load_tokenizer(STATIC_TOKENIZER, max_tokens=_MAX_TOKENS)
    return tokenizer, _open(STATIC_ROWS, STATIC_SCALES, tokenizer.token_to_id("[UNK]") or 0)


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
def _open(rows: Path, scales: Path, unknown: int) -> TokenTable:
    """Loaded once a process, however many engines use it: nobody changes a table."""
    return TokenTable(rows, scales, unknown)
