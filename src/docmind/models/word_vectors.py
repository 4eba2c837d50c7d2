"""Vectors of single words: how near two words are in meaning, and how much a word says."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from docmind.models.embedding import Vectors
from docmind.models.static import load_static
from docmind.models.tokens import token_ids

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from docmind.models.static import TokenTable

_TYPICAL_NORM = 70.0
"""The table gives rare words long vectors and common ones short: this is the length of a word of the middle."""
_MAX_WORDS = 1 << 16
"""What is remembered before it is all forgotten: 64 MB, and the words of many documents."""


class WordVectors:
    """Looked up once a word and remembered. Loaded on first use; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, TokenTable] | None = None
        self._places: dict[str, int] = {}
        self._vectors: Vectors = np.empty((0, 0), dtype=np.float32)
        self._weights: Vectors = np.empty(0, dtype=np.float32)

    def look_up(self, words: Sequence[str]) -> tuple[Vectors, Vectors]:
        """A unit vector a word, and a weight: about 1 for a word that says much, near 0 for one that says nothing."""
        with self._lock:
            self._remember(words)
            places = np.fromiter((self._places[word] for word in words), dtype=np.intp, count=len(words))
            return self._vectors[places], self._weights[places]

    def _remember(self, words: Sequence[str]) -> None:
        if len(self._places) > _MAX_WORDS:
            self._places.clear()
        missing = list(dict.fromkeys(word for word in words if word not in self._places))
        if not missing and self._loaded is not None:
            return
        if self._loaded is None:
            self._loaded = load_static()
        tokenizer, table = self._loaded
        ids = token_ids(tokenizer, missing, special=False)
        sums = table.sums(ids)
        norms = np.linalg.norm(sums, axis=1)
        # Pieces of one word add up to a longer vector than a word of one piece has; their root mean does not.
        weights = norms / np.sqrt([max(1, len(pieces)) for pieces in ids]) / _TYPICAL_NORM
        start = len(self._places)
        self._grow(start + len(missing), sums.shape[1])
        self._vectors[start : start + len(missing)] = sums / np.maximum(norms, 1e-9)[:, None]
        self._weights[start : start + len(missing)] = weights
        self._places.update((word, start + number) for number, word in enumerate(missing))

    def _grow(self, size: int, dimension: int) -> None:
        """Room for that many words, doubled so that growing costs a constant a word."""
        if size <= len(self._weights) and self._vectors.shape[1] == dimension:
            return
        room = max(1024, 2 * size)
        vectors = np.zeros((room, dimension), dtype=np.float32)
        weights = np.zeros(room, dtype=np.float32)
        kept = len(self._weights)
        vectors[:kept, : self._vectors.shape[1]] = self._vectors
        weights[:kept] = self._weights
        self._vectors, self._weights = vectors, weights
