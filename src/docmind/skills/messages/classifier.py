"""Tells what kind of message somebody wrote: a logistic model that `scripts/fit_messages.py` fits."""

from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Self

import numpy as np

from docmind.domain.messages import MessageKind
from docmind.models.embedding import Embedder, Vectors
from docmind.skills.messages.features import features, looked_at, unnamed

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
