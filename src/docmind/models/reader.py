"""DocMind's own models: the reader reads answers out of passages, the judge judges claims by an excerpt, on any CPU."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from docmind.domain.cores import usable_cores
from docmind.domain.errors import ReaderError
from docmind.models.inference import ModelSession, encode, load_tokenizer
from docmind.models.weights import JUDGE_MODEL, MINILM_TOKENIZER, READER_MODEL

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


MAX_TOKENS = 448
_FIRST_TOKENS = 96
"""A longer question or claim is cut, so that the passage keeps its room."""
_CLS, _SEP = 101, 102


@dataclass(frozen=True, slots=True)
class Pair:
    """The tokens of a pair; those of the passage start at `passage` and end before the last one."""

    ids: list[int]
    passage: int
    first_offsets: list[tuple[int, int]]
    passage_offsets: list[tuple[int, int]]


def join(first: "Encoding", second: "Encoding", *, max_tokens: int = MAX_TOKENS, skip: int = 0) -> Pair:
    """One row of at most `max_tokens`, the passage from its token `skip` on."""
    lead = first.ids[:_FIRST_TOKENS]
    room = max_tokens - len(lead) - 3
    body = second.ids[skip : skip + room]
    return Pair(
        [_CLS, *lead, _SEP, *body, _SEP],
        len(lead) + 2,
        first.offsets[: len(lead)],
        second.offsets[skip : skip + len(body)],
    )


def encode_pairs(
    tokenizer: "Tokenizer", pairs: Sequence[tuple[str, str]], *, max_tokens: int = MAX_TOKENS
) -> list[Pair]:
    """The rows of many pairs; a text that occurs in several is tokenized once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    known = dict(zip(texts, encode(tokenizer, texts), strict=True))
    return [join(known[first], known[second], max_tokens=max_tokens) for first, second in pairs]


Floats = NDArray[np.float32]

_LONGEST_TEXT_TOKENS = 4096
"""Texts are cut here before they are joined, whatever the window: nobody waits for a book to be tokenized."""
_ANSWER_TOKENS = 24
_PARAGRAPH_ENDS = "\n\n"
_START, _END, _DOUBT, _MARK = range(4)
_SHARED_BY = 2
"""Cores that read a single pair: a claim that is checked by itself is waited for."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an excerpt says of a claim, or of a question that asks for yes or no: three probabilities."""

    supported: float
    """Or yes."""
    not_stated: float
    contradicted: float
    """Or no."""

    @property
    def logit(self) -> float:
        """By how much supported beats the rest."""
        return float(np.log(max(self.supported, 1e-6)) - np.log(max(1 - self.supported, 1e-6)))


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim beside an excerpt."""

    verdict: Verdict
    doubts: tuple[tuple[int, int, float], ...]
    """Each piece of the claim, from and to which character, and the probability that it is wrong."""
    marks: "Marks"


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A question beside a passage."""

    score: float
    """The logit that the passage answers the question."""
    verdict: Verdict
    """Yes, neither or no; of use where the question asks for it."""
    answer: tuple[int, int]
    """Where the bare answer stands, if the passage has one."""
    answer_score: float
    """How far that stretch beats the others of the passage."""
    marks: "Marks"


@dataclass(frozen=True, slots=True)
class Marks:
    """How far each piece of a text decides, as a probability."""

    offsets: NDArray[np.int64]
    """From and to which character each piece stands."""
    probabilities: Floats

    def within(self, start: int, end: int) -> float:
        """The mean of the stronger half between two characters; 0 where nothing was read."""
        if not len(self.offsets):
            return 0.0
        inside = np.sort(self.probabilities[(self.offsets[:, 0] < end) & (self.offsets[:, 1] > start)])
        return float(inside[len(inside) // 2 :].mean()) if len(inside) else 0.0


class Remembered:
    """What the model gave for the pairs of texts that it was shown last. Thread-safe."""

    def __init__(self, *, most: int = 2048) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[Path, str, str], tuple[Floats, Floats]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[Path, str, str]) -> tuple[Floats, Floats] | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: tuple[Path, str, str], outputs: tuple[Floats, Floats]) -> None:
        with self._lock:
            self._kept[key] = outputs
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)


REMEMBERED = Remembered()


class Reader:
    """Each of the two models is loaded on first use; safe to share between threads."""

    def __init__(
        self,
        *,
        threads: int | None = None,
        model: Path = READER_MODEL,
        judge: Path = JUDGE_MODEL,
        remembered: "Remembered | None" = REMEMBERED,
    ) -> None:
        """`remembered` is what this process has read lately: a draft and its judge, or a retry, show the same texts."""
        self._threads = threads or usable_cores()
        self._model = model
        self._judge = judge
        self._remembered = remembered or Remembered(most=0)
        self._loading = threading.Lock()
        self._tokenizer: Tokenizer | None = None
        self._sessions: dict[Path, ModelSession] = {}

    def judge(self, pairs: Sequence[tuple[str, str]], *, quick: bool = False) -> list[JudgedClaim]:
        """For each claim and its excerpt whether the excerpt supports it; `quality.excerpts` makes the excerpts.

        What is `quick` is told by the model that reads passages, which is loaded anyway and is wrong more often.
        """
        rows, outputs = self._run(self._model if quick else self._judge, pairs)
        return [_judged(pair, *output) for pair, output in zip(rows, outputs, strict=True)]

    def read(self, question: str, passages: Sequence[str]) -> list[ReadPassage]:
        """What each passage says to the question, in the order of the passages."""
        rows, outputs = self._run(self._model, [(question, passage) for passage in passages])
        return [_read(row, text, *output) for row, text, output in zip(rows, passages, outputs, strict=True)]

    def _run(self, model: Path, texts: Sequence[tuple[str, str]]) -> tuple[list[Pair], list[tuple[Floats, Floats]]]:
        """For each pair its tokens, the four logits of the row and the four of each token."""
        if not texts:
            return [], []
        tokenizer, session = self._load(model)
        pairs = encode_pairs(tokenizer, texts)
        found = {
            place: outputs for place, pair in enumerate(texts) if (outputs := self._remembered.get((model, *pair)))
        }
        unread = [place for place in range(len(pairs)) if place not in found]

        def keep(rows: Sequence[int], outputs: list[Any]) -> None:
            for row, number in enumerate(rows):
                place = unread[number]
                found[place] = outputs[0][row].copy(), outputs[1][row, : len(pairs[place].ids)].copy()
                self._remembered.keep((model, *texts[place]), found[place])

        session.run_all([pairs[place].ids for place in unread], keep)
        return pairs, [found[place] for place in range(len(pairs))]

    def _load(self, model: Path) -> tuple["Tokenizer", ModelSession]:
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=_LONGEST_TEXT_TOKENS)
            if model not in self._sessions:
                shared_by = min(self._threads, _SHARED_BY)
                self._sessions[model] = ModelSession(
                    model, threads=self._threads, error=ReaderError, shared_by=shared_by
                )
            return self._tokenizer, self._sessions[model]


def _judged(pair: Pair, row: Floats, tokens: Floats) -> JudgedClaim:
    doubts = _probability(tokens[1 : 1 + len(pair.first_offsets), _DOUBT]).tolist()
    pieces = tuple((*span, doubt) for span, doubt in zip(pair.first_offsets, doubts, strict=True))
    return JudgedClaim(_verdict(row), pieces, _marks(pair, tokens))


def _read(pair: Pair, passage: str, row: Floats, tokens: Floats) -> ReadPassage:
    body = tokens[pair.passage : pair.passage + len(pair.passage_offsets)]
    if not len(body):
        return ReadPassage(float(row[3]), _verdict(row), (0, 0), 0.0, _marks(pair, tokens))
    offsets = pair.passage_offsets
    paragraphs = np.zeros(len(offsets), np.int64)
    if _PARAGRAPH_ENDS in passage:
        paragraphs[:] = [passage.count(_PARAGRAPH_ENDS, 0, start) for start, _ in offsets]
    first, last, score = _best_span(body[:, _START], body[:, _END], paragraphs)
    return ReadPassage(float(row[3]), _verdict(row), (offsets[first][0], offsets[last][1]), score, _marks(pair, tokens))


def _marks(pair: Pair, tokens: Floats) -> Marks:
    body = tokens[pair.passage : pair.passage + len(pair.passage_offsets), _MARK]
    return Marks(np.array(pair.passage_offsets, np.int64).reshape(-1, 2), _probability(body))


def _verdict(row: Floats) -> Verdict:
    powers = np.exp(row[:3] - row[:3].max())
    return Verdict(*(powers / powers.sum()).tolist())


def _best_span(starts: Floats, ends: Floats, paragraphs: NDArray[np.int64]) -> tuple[int, int, float]:
    """The start and end that together score highest, the end soon after the start in the same paragraph, and the
    probability of the two."""
    starts = starts - _log_sum(starts)
    ends = ends - _log_sum(ends)
    together = np.where(_reach(paragraphs, -1) == paragraphs[:, None], starts[:, None] + _reach(ends, -np.inf), -np.inf)
    first, further = divmod(int(np.argmax(together)), _ANSWER_TOKENS)
    return first, first + further, float(np.exp(together[first, further] / 2))


def _reach(values: NDArray[Any], beyond: float) -> NDArray[Any]:
    """For each token what stands at it and at those behind it, as far as an answer may reach."""
    padded = np.concatenate([values, np.full(_ANSWER_TOKENS - 1, beyond, values.dtype)])
    return np.lib.stride_tricks.sliding_window_view(padded, _ANSWER_TOKENS)


def _log_sum(logits: Floats) -> float:
    highest = float(logits.max())
    return highest + float(np.log(np.exp(logits - highest).sum()))


def _probability(logit: Floats) -> Floats:
    probability: Floats = (1 / (1 + np.exp(-logit))).astype(np.float32)
    return probability
