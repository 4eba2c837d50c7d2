"""The project's own documents with claims and questions, each with a twin of the other side: `data/authored`."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar


class Part(StrEnum):
    """Which documents may be used for what. Documents that speak of one thing are in one part."""

    TRAIN = "train"
    TUNE = "tune"
    """To choose between ways of training and to fit calibration on."""
    KEPT = "kept"
    """To report on; nothing is fitted, chosen or read there."""


_KEPT, _TUNE, _ALL = 4, 2, 20
_TRAIN_ONLY = "y"
"""How the names of folders begin whose documents, very short ones, are all trained on."""
_TUNE_ONLY = "x"
"""How those begin whose documents are all for tuning: with sentences as chat models write them."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence about a document and whether the document supports it."""

    id: str
    document: str
    text: str
    label: str
    """`supported`, `contradicted` or `unsupported`."""
    kind: str
    evidence: tuple[str, ...]
    twin: str
    """The id of the claim that differs least and is on the other side."""

    @property
    def supported(self) -> bool:
        return self.label == "supported"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a document, with what an answer must and must not say, or no answer at all."""

    id: str
    document: str
    text: str
    type: str
    answer: str
    short: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    evidence: tuple[str, ...]
    near: tuple[str, ...]
    """For an unanswerable one what somebody might give as its answer."""
    twin: str | None
    own_words: bool
    """Whether it is asked in a person's words rather than the document's."""

    @property
    def answerable(self) -> bool:
        return self.type != "unanswerable"


@dataclass(frozen=True, slots=True)
class ConflictPair:
    """A question on which two documents disagree, or only seem to."""

    id: str
    documents: tuple[str, str]
    question: str
    disagree: bool
    evidence: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass
class Folder:
    """The documents of one field of life with everything that was written about them."""

    path: Path
    documents: dict[str, Path] = field(default_factory=dict)

    @cached_property
    def claims(self) -> list[Claim]:
        rows = [*_rows(self.path / "claims.jsonl"), *_rows(self.path / "claims_twins.jsonl")]
        twins = {row["of"]: row["id"] for row in rows if "of" in row}
        return [
            Claim(
                row["id"],
                row["doc"],
                row["claim"],
                row["label"],
                row["kind"],
                _quotes(row.get("evidence")),
                row.get("of") or twins[row["id"]],
            )
            for row in rows
        ]

    @cached_property
    def questions(self) -> list[Question]:
        first, second = _rows(self.path / "questions.jsonl"), _rows(self.path / "questions_twins.jsonl")
        rows = [row for row in (*first, *second) if not row.get("off_topic") and row["type"] != "conflict"]
        twins = {row["of"]: row["id"] for row in rows if "of" in row}
        return [
            Question(
                row["id"],
                row["doc"],
                row["question"],
                row["type"],
                row["answer"],
                row["short"],
                tuple(row["must"]),
                tuple(row["must_not"]),
                _quotes(row.get("evidence")),
                _quotes(row.get("near")),
                row.get("of") or twins.get(row["id"]),
                own_words=("of" in row) == (row["type"] == "unanswerable"),
            )
            for row in rows
        ]

    @cached_property
    def conflicts(self) -> list[ConflictPair]:
        return [
            ConflictPair(
                row["id"],
                (row["docs"][0], row["docs"][1]),
                row["question"],
                row["disagree"],
                (_quotes(row["evidence"][0]), _quotes(row["evidence"][1])),
            )
            for row in _rows(self.path / "conflicts.jsonl")
        ]

    def part(self, document: str) -> Part:
        """By a hash of the name, or of the first among the documents it disagrees or seems to disagree with."""
        if self.path.name.startswith(_TRAIN_ONLY):
            return Part.TRAIN
        if self.path.name.startswith(_TUNE_ONLY):
            return Part.TUNE
        number = int(hashlib.sha256(self._together[document].encode()).hexdigest(), 16) % _ALL
        return Part.KEPT if number < _KEPT else Part.TUNE if number < _KEPT + _TUNE else Part.TRAIN

    @cached_property
    def _together(self) -> dict[str, str]:
        first = {name: name for name in self.documents}
        for conflict in self.conflicts:
            names = sorted({first[name] for name in conflict.documents if name in first})
            for name, home in first.items():
                if home in names:
                    first[name] = names[0]
        return first


Twin = TypeVar("Twin", Claim, Question)


def spread(some: Sequence[Twin], most: int) -> list[Twin]:
    """Every so many-th, spread over all documents, so that about as many are left as wanted; twins stay together."""
    together: dict[frozenset[str | None], list[Twin]] = {}
    for one in some:
        together.setdefault(frozenset((one.id, one.twin)), []).append(one)
    return [one for group in list(together.values())[:: max(1, -(-len(some) // most))] for one in group]


def read_authored(root: Path) -> list[Folder]:
    """Every folder under `root` that holds documents."""
    return [
        Folder(path.parent, {file.stem: file for file in sorted(path.glob("*.md"))})
        for path in sorted(root.glob("*/docs"))
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    return list(_lines(path)) if path.exists() else []


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def _quotes(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) and value else tuple(value or ())
