"""DocMind's own small model: ranks passages, reads answers out of them and judges claims by them, on any CPU."""

import math
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from docmind.domain.errors import EncoderError
from docmind.models.pairs import MAX_TOKENS, Pair, encode_pairs
from docmind.models.sessions import ModelSession
from docmind.models.tokens import load_tokenizer
from docmind.models.weights import ENCODER_MODEL, MINILM_TOKENIZER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Floats = NDArray[np.float32]

_LONGEST_TEXT_TOKENS = 4096
"""Texts are cut here before they are joined, whatever the window: nobody waits for a book to be tokenized."""
_ANSWER_TOKENS = 30


@dataclass(frozen=True, slots=True)
class Support:
    """What a passage says about a claim: three probabilities, and how far each of its words is borne out."""

    supported: float
    unsupported: float
    contradicted: float
    words: tuple["Word", ...]


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of the claim and the probability that the passage does not bear it out."""

    start: int
    end: int
    unsupported: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The best answer a passage holds: `passage[start:end]`, and whether it answers at all."""

    start: int
    end: int
    probability: float
    """That there is an answer in the passage; below one half, saying nothing is the better answer."""
    score: float
    """By how much the answer beats none, in logits: for comparing passages with each other."""
    relevance: float
    """The logit that the passage answers the question, as `Encoder.relevance` gives it."""
    _spans: "_Spans" = field(repr=False, compare=False)

    def within(self, start: int, end: int) -> float:
        """By how much the best answer in `passage[start:end]` beats none; minus infinity where nothing was read."""
        return self._spans.best(start, end)[2]


class Encoder:
    """Loaded on first use, safe to share between threads. What was judged is remembered by the caller, if at all.

    `window_tokens` bounds a row of question or claim and passage together: shorter is quicker, and cuts the passage.
    """

    def __init__(
        self, *, threads: int | None = None, window_tokens: int = MAX_TOKENS, model: Path = ENCODER_MODEL
    ) -> None:
        self._threads = threads or os.cpu_count() or 1
        self._window = min(window_tokens, MAX_TOKENS)
        self._model = model
        self._loading = threading.Lock()
        self._loaded: tuple[Tokenizer, ModelSession] | None = None

    def relevance(self, question: str, passages: Sequence[str]) -> Floats:
        """For each passage the logit that it answers the question: above zero it rather does."""
        scores = np.empty(len(passages), np.float32)
        _, outputs = self._run([(question, passage) for passage in passages])
        for place, (row, _) in enumerate(outputs):
            scores[place] = row[3]
        return scores

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[Support]:
        """For each claim and its evidence whether the evidence supports it; `models.evidence` chooses the evidence."""
        rows, outputs = self._run(pairs)
        return [_support(pair, row, tokens) for pair, (row, tokens) in zip(rows, outputs, strict=True)]

    def read(self, question: str, passages: Sequence[str]) -> list[Answer]:
        """The best answer in each passage, in the order of the passages."""
        rows, outputs = self._run([(question, passage) for passage in passages])
        return [_answer(pair, row, tokens) for pair, (row, tokens) in zip(rows, outputs, strict=True)]

    def _run(self, texts: Sequence[tuple[str, str]]) -> tuple[list[Pair], list[tuple[Floats, Floats]]]:
        """For each pair its tokens, the four logits of the row and the three of each token."""
        if not texts:
            return [], []
        tokenizer, session = self._load()
        pairs = encode_pairs(tokenizer, texts, max_tokens=self._window)
        found: list[tuple[Floats, Floats]] = [(np.empty(0, np.float32), np.empty((0, 3), np.float32))] * len(pairs)

        def keep(places: Sequence[int], outputs: list[Any]) -> None:
            for row, place in enumerate(places):
                found[place] = outputs[0][row], outputs[1][row, : len(pairs[place].ids)]

        session.run_all([pair.ids for pair in pairs], keep)
        return pairs, found

    def _load(self) -> tuple["Tokenizer", ModelSession]:
        with self._loading:
            if self._loaded is None:
                tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=_LONGEST_TEXT_TOKENS)
                self._loaded = tokenizer, ModelSession(self._model, threads=self._threads, error=EncoderError)
            return self._loaded


def _support(pair: Pair, row: Floats, tokens: Floats) -> Support:
    powers = np.exp(row[:3] - row[:3].max())
    supported, unsupported, contradicted = (powers / powers.sum()).tolist()
    doubts = _probability(tokens[1 : 1 + len(pair.first_offsets), 2]).tolist()
    words = tuple(Word(*span, doubt) for span, doubt in zip(pair.first_offsets, doubts, strict=True))
    return Support(supported, unsupported, contradicted, words)


@dataclass(frozen=True, slots=True)
class _Spans:
    """How well each token of a passage begins and ends an answer."""

    offsets: Sequence[tuple[int, int]]
    starts: Floats
    ends: Floats
    none: float
    """What saying nothing scores."""

    def best(self, start: int, end: int) -> tuple[int, int, float]:
        """The best answer among the tokens between two characters, as characters, and by how much it beats none."""
        inside = [place for place, (first, last) in enumerate(self.offsets) if start <= first and last <= end]
        if not inside:
            return start, start, -math.inf
        some = slice(inside[0], inside[-1] + 1)
        first, last, score = _best_span(self.starts[some], self.ends[some])
        offsets = self.offsets[some]
        return offsets[first][0], offsets[last][1], score - self.none


def _answer(pair: Pair, row: Floats, tokens: Floats) -> Answer:
    none = float(tokens[0, 0] + tokens[0, 1])
    spans = _Spans(pair.passage_offsets, tokens[pair.passage : -1, 0], tokens[pair.passage : -1, 1], none)
    end = pair.passage_offsets[-1][1] if pair.passage_offsets else 0
    start, end, score = spans.best(0, end)
    probability = float(_probability(np.float32(score)))
    return Answer(start, end, probability, score, float(row[3]), spans)


def _best_span(starts: Floats, ends: Floats) -> tuple[int, int, float]:
    """The start and end that together score highest, the end at most `_ANSWER_TOKENS` after the start."""
    padded = np.concatenate([ends, np.full(_ANSWER_TOKENS - 1, -np.inf, np.float32)])
    reach = np.lib.stride_tricks.sliding_window_view(padded, _ANSWER_TOKENS)
    together = starts[:, None] + reach
    first, further = divmod(int(np.argmax(together)), _ANSWER_TOKENS)
    return first, first + further, float(together[first, further])


def _probability(logit: Any) -> Any:
    return 1 / (1 + np.exp(-logit))
