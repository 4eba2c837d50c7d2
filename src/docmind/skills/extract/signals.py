"""What speaks for a statement as the answer to a question, in a few numbers."""

import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

import numpy as np

from docmind.domain.verdicts import ClaimKind
from docmind.models.embedding import Vectors
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding import Evidence
from docmind.quality.grounding.coverage import lay
from docmind.quality.grounding.words import Word
from docmind.quality.kinds import kind_of
from docmind.skills.extract.question import Question
from docmind.skills.extract.statements import Statement

_YEAR = re.compile(r"(?<![\d.,])(?:1[0-9]|20)[0-9]{2}(?![\d,])")
_DEFINING = re.compile(r"\b(?:is|are|was|were|means|refers to|describes|represents|contains|consists of)\b")
_LONGEST_TERM = 100
"""Characters within which a definition comes to its verb."""
_SUREST = 6.0
"""The logit beyond which one passage is no more relevant than another."""


@dataclass(frozen=True, slots=True)
class Signals:
    held: float
    """How much of the question a statement holds by words of like meaning, with its headings and what it leans on."""
    own: float
    """How much of it stands in the statement's own words."""
    together: float
    """The share of the question's neighbouring words that are neighbours there too."""
    fits: float
    """1 where it holds the kind of thing that is asked for, -1 where it lacks it, 0 where any will do."""
    relevance: float
    """The logit of its passage's relevance."""

    def named(self) -> dict[str, float]:
        return asdict(self)


def read_signals(
    question: Question, statements: Sequence[Statement], evidence: Evidence, vectors: WordVectors
) -> list[Signals]:
    """The signals of each statement; `evidence` is made of their passages."""
    laid = _Laid(question, evidence, vectors)
    return [laid.signals(statement) for statement in statements]


class _Laid:
    """A question laid over everything that was found."""

    def __init__(self, question: Question, evidence: Evidence, vectors: WordVectors) -> None:
        self._question = question
        self._sentences = evidence.sentences
        self._rows = {(sentence.passage, sentence.span): n for n, sentence in enumerate(evidence.sentences)}
        coverage = lay(question.text, evidence, vectors)
        self._keys = [word.key for word in coverage.words]
        self._neighbours = frozenset(pairwise(self._keys))
        self._held = coverage.by_sentence
        # A word that all statements hold, as the product's name is in its manual, does not tell one from another.
        rarity = np.log1p((len(self._held) + 1) / (self._held.sum(axis=0) + 0.5))
        self._weights = coverage.weights * rarity

    def signals(self, statement: Statement) -> Signals:
        row = self._row(statement)
        rows = [row] if statement.lead is None else [row, self._row(statement.lead)]
        words = self._sentences[row].words
        keys = [word.key for word in words]
        said = set(keys)
        own = np.array([key in said for key in self._keys], dtype=np.float32)
        return Signals(
            held=self._share(self._held[rows].max(axis=0)),
            own=self._share(own),
            together=len(self._neighbours.intersection(pairwise(keys))) / max(1, len(self._neighbours)),
            fits=self._fits(statement, [word for word in words if word.key not in self._keys]),
            relevance=_logit(statement.hit.relevance_score),
        )

    def _row(self, statement: Statement) -> int:
        return self._rows[statement.hit.passage, statement.sentence.span]

    def _share(self, held: Vectors) -> float:
        whole = float(self._weights.sum())
        return float(held @ self._weights) / whole if whole else 0.0

    def _fits(self, statement: Statement, new: Sequence[Word]) -> float:
        """`new` are the words that the question does not have."""
        if self._question.asks_who:
            found = any(word.is_name for word in new)
        elif self._question.intent == "quantity":
            found = any(word.key[0].isdigit() and not _YEAR.fullmatch(word.key) for word in new)
        elif self._question.intent == "date":
            found = _YEAR.search(statement.text) is not None or kind_of(statement.text) is ClaimKind.TEMPORAL
        elif self._question.intent == "definition":
            found = _defines(statement.text, self._sentences[self._row(statement)].words, self._keys)
        else:
            return 0.0
        return 1.0 if found else -1.0


def _defines(text: str, words: Sequence[Word], keys: Sequence[str]) -> bool:
    """Whether it begins with what is asked about and goes on to say what that is."""
    verb = _DEFINING.search(text, 0, _LONGEST_TERM)
    return verb is not None and any(word.key in keys and word.span.end <= verb.start() for word in words)


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-9), 1 - 1e-9)
    return min(max(math.log(clipped / (1 - clipped)), -_SUREST), _SUREST)
