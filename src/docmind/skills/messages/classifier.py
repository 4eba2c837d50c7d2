"""Tells what kind of message somebody wrote: a logistic model that `scripts/fit_messages.py` fits.

It weighs the embedder's vector and hashed pieces of words and letters.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Self

import numpy as np

from docmind.domain.answers import MessageKind
from docmind.models.embedding import Embedder, Vectors

HASHED = 2048
"""Places that pieces are hashed to."""
_EMBEDDED_WEIGHT = 3.0
"""A unit vector of 384 numbers is small beside the hashed pieces; so it weighs about as much."""
_LONGEST_READ = 400
"""Characters that are looked at: what somebody wants is said by then."""
_TITLE_OR_FILE = re.compile(r"[“\"][^“”\"]{2,200}[”\"]|\b[\w-]{1,80}\.(?:pdf|docx|md|txt|html|xlsx|csv)\b")
_WORD = re.compile(r"[^\W_]+|[^\w\s]")
_WORDS_IN_A_PIECE = (1, 2, 3)
_LETTERS_IN_A_PIECE = (3, 4, 5)


def looked_at(message: str) -> str:
    """As much of a message as is looked at."""
    return message[:_LONGEST_READ]


def unnamed(message: str) -> str:
    """The message with `the document` in place of what stands in quotes and of file names."""
    return _TITLE_OR_FILE.sub("the document", looked_at(message))


def features(messages: Sequence[str], embedded: Vectors) -> Vectors:
    """A row for each message; `embedded` are the vectors of the messages."""
    hashed = np.stack([_hashed(" ".join(looked_at(message).lower().split())) for message in messages])
    return np.hstack([_EMBEDDED_WEIGHT * embedded, hashed])


def _hashed(message: str) -> Vectors:
    row = np.zeros(HASHED, np.float32)
    for pieces in (set(_word_pieces(message)), set(_letter_pieces(message))):
        for piece in pieces:
            row[zlib.crc32(piece.encode()) % HASHED] += len(pieces) ** -0.5
    return row


def _word_pieces(message: str) -> Iterator[str]:
    words = ["^", *_WORD.findall(message), "$"]
    for size in _WORDS_IN_A_PIECE:
        for at in range(len(words) - size + 1):
            yield "w" + " ".join(words[at : at + size])


def _letter_pieces(message: str) -> Iterator[str]:
    marked = f"^{message}$"
    for size in _LETTERS_IN_A_PIECE:
        for at in range(len(marked) - size + 1):
            yield "c" + marked[at : at + size]


KINDS = tuple(MessageKind)
_CLEARLY = 0.4
"""The least probability of a kind that a message is taken for; what is like nothing in particular is a question."""
_LIKELY = 0.5
"""What is likelier a question than not is one, whatever it has in quotes."""


@dataclass(frozen=True, slots=True)
class MessageModel:
    """A multinomial logistic model of the kind of a message."""

    weights: Vectors
    """A row for each feature, a column for each kind."""
    intercept: Vectors
    threshold: float
    """A message is a question unless that is less likely than this."""

    @classmethod
    def shipped(cls) -> Self:
        with as_file(files("docmind.skills.messages").joinpath("messages.npz")) as file, np.load(file) as fitted:
            return cls(fitted["weights"].astype(np.float32), fitted["intercept"], float(fitted["threshold"]))

    def probabilities(self, rows: Vectors) -> Vectors:
        scores = rows @ self.weights + self.intercept
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: Vectors = likely / likely.sum(axis=1, keepdims=True)
        return shares

    def kinds(self, likely: Vectors) -> list[MessageKind]:
        """Of each row of probabilities the likeliest kind, but a question where it may well be one."""
        other = 1 + likely[:, 1:].argmax(axis=1)
        return [
            KINDS[best] if row[0] < self.threshold and row[best] >= _CLEARLY else MessageKind.QUESTION
            for row, best in zip(likely, other, strict=True)
        ]


class MessageClassifier:
    """The shipped model with the embedder it was fitted on, which is MiniLM whatever the index uses. Thread-safe."""

    def __init__(self, embedder: Embedder, model: MessageModel | None = None) -> None:
        self.embedder = embedder
        self._model = model or MessageModel.shipped()

    def kind(self, message: str) -> MessageKind:
        """What a message is; the words of a title in quotes do not make a request for its summary a question."""
        likely = self._likely(message)
        kind = self._model.kinds(likely)[0]
        without_title = unnamed(message)
        if kind is not MessageKind.QUESTION or likely[0, 0] > _LIKELY or without_title == looked_at(message):
            return kind
        is_summary = self._model.kinds(self._likely(without_title))[0] is MessageKind.SUMMARISE
        return MessageKind.SUMMARISE if is_summary else kind

    def _likely(self, message: str) -> Vectors:
        embedded = self.embedder.embed_query(looked_at(message))
        return self._model.probabilities(features([message], embedded[np.newaxis]))
