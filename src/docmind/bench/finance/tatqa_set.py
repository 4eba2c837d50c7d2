"""TAT-QA: questions that people asked of a table and its paragraphs in annual reports, with what they answered."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from docmind.bench.finance.rendering import Grid, passages_of
from docmind.bench.finance.scoring import GivenAnswer
from docmind.bench.workbench import Workbench
from docmind.domain.documents import Passage
from docmind.domain.errors import BenchError


class AnswerType(StrEnum):
    """How the answer is made, in the set's words."""

    SPAN = "span"
    MULTI_SPAN = "multi-span"
    COUNT = "count"
    ARITHMETIC = "arithmetic"

    @property
    def is_numeric(self) -> bool:
        return self in (AnswerType.COUNT, AnswerType.ARITHMETIC)


@dataclass(frozen=True, slots=True)
class TatQaQuestion:
    """A question and the answer that is wanted."""

    text: str
    wanted: GivenAnswer
    type: AnswerType


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of a report as the product has it after an ingest, and what is asked of it."""

    passages: tuple[Passage, ...]
    questions: tuple[TatQaQuestion, ...]


def tatqa(bench: Workbench) -> list[Sheet]:
    return list(_sheets(_records(bench)))


def grids(bench: Workbench) -> list[Grid]:
    """The tables alone."""
    return [record["table"]["table"] for record in _records(bench)]


def _records(bench: Workbench) -> list[Mapping[str, Any]]:
    path = bench.dataset("tatqa") / "dev.json"
    if not path.is_file():
        raise BenchError(f"The file {path} is not there: unpack the set 'tatqa' again.")
    records: list[Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return records


def _sheets(records: list[Mapping[str, Any]]) -> Iterator[Sheet]:
    for record in records:
        # The set does not say where among the paragraphs the table stood.
        paragraphs = [paragraph["text"] for paragraph in sorted(record["paragraphs"], key=lambda one: one["order"])]
        passages = passages_of(record["table"]["uid"], paragraphs, record["table"]["table"])
        yield Sheet(tuple(passages), tuple(map(_asked, record["questions"])))


def _asked(question: Mapping[str, Any]) -> TatQaQuestion:
    kind, answer = AnswerType(question["answer_type"]), question["answer"]
    if not isinstance(answer, list):
        answer = [int(answer) if kind is AnswerType.COUNT else answer]
    return TatQaQuestion(question["question"], GivenAnswer(tuple(map(str, answer)), question["scale"]), kind)
