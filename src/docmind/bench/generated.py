"""Text of any amount that needs no download: English words at the frequencies English has, in files of known size."""

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.models.weights import MINILM_TOKENIZER

PASSAGES_PER_FILE = 20
SENTENCES_PER_PASSAGE = 7
WORDS_PER_SENTENCE = (8, 20)
SEED = 2026


def write_files(folder: Path, passages: int) -> Path:
    """A folder of Markdown files that chunk into exactly that many passages: each section is one."""
    folder.mkdir(parents=True)
    words = _Words(SEED)
    for first in range(0, passages, PASSAGES_PER_FILE):
        sections = (_section(words) for _ in range(min(PASSAGES_PER_FILE, passages - first)))
        (folder / f"{first:07d}.md").write_text("".join(sections), encoding="utf-8")
    return folder


def questions(count: int) -> list[str]:
    """As long and as common in their words as people's questions are."""
    words = _Words(SEED + 1)
    return [" ".join(words.take(int(length))) + "?" for length in words.lengths(count)]


def _section(words: "_Words") -> str:
    heading = " ".join(words.take(4))
    sentences = (" ".join(words.take(int(n))).capitalize() + "." for n in words.lengths(SENTENCES_PER_PASSAGE))
    return f"## {heading}\n\n{' '.join(sentences)}\n\n"


class _Words:
    """An endless stream of words, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._drawn: list[str] = []
        self._taken = 0

    def take(self, count: int) -> list[str]:
        taken = self._drawn[self._taken : self._taken + count]
        self._taken += count
        if len(taken) < count:
            self._drawn, self._taken = self._draw(), 0
            taken += self.take(count - len(taken))
        return taken

    def lengths(self, count: int) -> list[int]:
        return self._random.integers(*WORDS_PER_SENTENCE, size=count, endpoint=True).tolist()  # type: ignore[no-any-return]

    def _draw(self) -> list[str]:
        vocabulary, frequencies = _vocabulary()
        return vocabulary[self._random.choice(len(vocabulary), 10_000, p=frequencies)].tolist()  # type: ignore[no-any-return]


@cache
def _vocabulary() -> tuple[NDArray[np.object_], NDArray[np.float64]]:
    """The whole words that the shipped tokenizer knows, commonest first as its vocabulary has them, by Zipf's law."""
    known: dict[str, int] = json.loads(MINILM_TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"]
    words = [
        word for word in sorted(known, key=known.__getitem__) if word.isascii() and word.isalpha() and len(word) > 1
    ]
    weights = 1 / (np.arange(len(words)) + 2.7)
    return np.array(words, dtype=np.object_), weights / weights.sum()
