"""Finds passages that share a query's words without being its answer: what a reranker has to tell apart."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_WORD = re.compile(r"[^\W_]{2,40}+")
_WORDS_A_QUERY = 12


class Bm25:
    """BM25 over passages, in arrays."""

    def __init__(self, passages: Sequence[str], k: float = 1.2, b: float = 0.75) -> None:
        counts = [Counter(_words(passage)) for passage in passages]
        lengths = np.array([sum(count.values()) for count in counts], np.float32)
        norm = k * (1 - b + b * lengths / max(float(lengths.mean()), 1.0))
        postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, count in enumerate(counts):
            for word, times in count.items():
                postings[word].append((place, times))
        self._total = len(passages)
        self._postings: dict[str, tuple[NDArray[np.int64], NDArray[np.float32]]] = {}
        for word, held in postings.items():
            places = np.array([place for place, _ in held])
            often = np.array([times for _, times in held], np.float32)
            idf = np.log1p((self._total - len(held) + 0.5) / (len(held) + 0.5))
            self._postings[word] = places, (idf * often * (k + 1) / (often + norm[places])).astype(np.float32)

    def scores(self, query: str) -> NDArray[np.float32]:
        scores = np.zeros(self._total, np.float32)
        known = {word for word in _words(query) if word in self._postings}
        for word in sorted(known, key=lambda word: (len(self._postings[word][0]), word))[:_WORDS_A_QUERY]:
            places, weights = self._postings[word]
            scores[places] += weights
        return scores


def _words(text: str) -> list[str]:
    return [word[:7] for word in _WORD.findall(text.lower())]
