"""What a head is trained on, as text: the three kinds of row, and how they lie in a file."""

import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

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
    """Yes, neither or no, as the place of a label; None where it is no yes/no question."""
    passages: tuple[PassageItem, ...]


@dataclass(frozen=True)
class ReadGroup:
    """A question that is answered, and its twin that is not."""

    id: str
    questions: tuple[QuestionItem, ...]


Row = TypeVar("Row", SupportRow, RankRow, ReadRow)


def write(rows: Iterable[SupportRow | RankRow | ReadRow], path: Path) -> None:
    with lzma.open(path, "wt", preset=2, encoding="utf-8") as lines:
        for row in rows:
            lines.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def read(kind: type[Row], path: Path) -> list[Row]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [kind(**_tuples(json.loads(line))) for line in lines]


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    if row.get("negatives") is not None:
        row["negatives"] = tuple(row["negatives"])
    if row.get("unsupported") is not None:
        row["unsupported"] = tuple((start, end) for start, end in row["unsupported"])
    return row
