"""What a head is trained on, as text: the three kinds of row, and how they lie in a file."""

import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter

LABELS = ("supported", "unsupported", "contradicted")
NOT_SUPPORTED = "not_supported"
"""Either of the last two, not known which."""


@dataclass(frozen=True)
class SupportRow:
    """A claim and the evidence it is judged by."""

    claim: str
    evidence: str
    label: str
    source: str
    unsupported: tuple[tuple[int, int], ...] | None = None
    """Where in the claim the words stand that the evidence does not bear out; None where nobody knows."""


@dataclass(frozen=True)
class RankRow:
    """A question or claim, the passage that answers it, and passages that do not."""

    query: str
    positive: str
    negatives: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class ReadRow:
    """A question and the place of its answer in a passage; `start` is -1 where it has none."""

    question: str
    context: str
    start: int
    answer: str
    source: str


Spans = tuple[tuple[int, int], ...]
"""Characters of a text."""


@dataclass(frozen=True)
class JudgeItem:
    """A claim beside an excerpt."""

    claim: str
    evidence: str
    label: int
    doubts: Spans | None
    """The words of the claim that are wrong; None where nobody knows."""
    marks: Spans
    """The words of the evidence that decide."""


@dataclass(frozen=True)
class JudgeGroup:
    """A true claim and its false twin, or a claim whose evidence was taken away."""

    id: str
    items: tuple[JudgeItem, ...]


@dataclass(frozen=True)
class PassageItem:
    """A passage, whether it answers the question, and where."""

    text: str
    answers: int
    span: tuple[int, int] | None
    marks: Spans


@dataclass(frozen=True)
class QuestionItem:
    """A question with passages that answer it, first, and others that do not."""

    question: str
    verdict: int | None
    """Yes, neither or no, as the place of a label; OPEN where it is no yes/no question, None where nobody knows."""
    passages: tuple[PassageItem, ...]


@dataclass(frozen=True)
class ReadGroup:
    """A question that is answered, and its twin that is not."""

    id: str
    questions: tuple[QuestionItem, ...]


@dataclass(frozen=True)
class Query:
    """For the embedder: what is looked for, the passage that has it, and passages that look alike."""

    text: str
    positive: str
    negatives: tuple[str, ...]


@dataclass(frozen=True)
class GradedClaim:
    """A claim that a teacher wrote, with its probabilities of being supported, unsupported and contradicted."""

    text: str
    verdict: tuple[float, float, float]


@dataclass(frozen=True)
class GradedQuestion:
    """A question that a teacher wrote, with its probabilities of yes, no answer, no, and any other answer."""

    text: str
    answered: tuple[float, float, float, float]
    span: tuple[int, int] | None
    """Where in the passage the answer stands that was written with it."""


@dataclass(frozen=True)
class GradedPassage:
    """What a teacher wrote on a passage."""

    passage: str
    pairs: tuple[tuple[GradedClaim, GradedClaim], ...]
    """Each a claim that was meant to be supported, and one that was not."""
    questions: tuple[GradedQuestion, ...]


Row = SupportRow | RankRow | ReadRow | JudgeGroup | ReadGroup | Query | GradedPassage
Kind = TypeVar("Kind", SupportRow, RankRow, ReadRow, JudgeGroup, ReadGroup, Query, GradedPassage)


def write(rows: Iterable[Row], path: Path) -> int:
    """One row a line; how many there were comes back."""
    count = 0
    with lzma.open(path, "wt", preset=2, encoding="utf-8") as lines:
        for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is the number of all
            lines.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
    return count


def read(kind: type[Kind], path: Path) -> list[Kind]:
    as_written = TypeAdapter(kind)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [as_written.validate_json(line) for line in lines]
