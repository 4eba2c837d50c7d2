"""What the teacher learns from the reader's own rows, as text, and the passages that it writes on.

A lesson is a passage with blocks behind it, each of which sees the passage and itself and no other block: the passage
is read once for all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TypeVar

import numpy as np

from training.packed import EITHER, OPEN
from training.rows import LABELS, JudgeGroup, RankRow, ReadGroup, ReadRow, SupportRow, read
from training.sources import origin

Some = TypeVar("Some")


class Block(IntEnum):
    """What a block is: the first two end with a label, the others are written."""

    CLAIM = 0
    QUESTION = 1
    PAIR = 2
    """A claim that is supported, and its twin that is not."""
    ASKED = 3
    """A question and its answer."""
    UNANSWERED = 4
    """A question that the passage does not answer."""


class Answered(IntEnum):
    """The labels of a question."""

    YES = 0
    NOT = 1
    NO = 2
    OTHERWISE = 3
    """It is answered, and is no yes/no question."""


@dataclass(frozen=True)
class Task:
    """One block: its texts, and its label where it has one."""

    block: Block
    texts: tuple[str, ...]
    label: int = 0


@dataclass(frozen=True)
class Lesson:
    """A passage and what is asked of the teacher about it."""

    passage: str
    tasks: tuple[Task, ...]


SAMPLED = {"folder": 9_000, "turned": 5_000, "without": 5_000, "document": 4_000, "foreign": 2_500, "asked": 2_000}
"""Groups of authored claims that are taken beside each choice of evidence; of those beside what decides, all."""
SUPPORT_ROWS, READ_ROWS = 26_000, 9_000
SNLI_KEPT = 0.15
PAIRS_KEPT, ASKED_KEPT, UNANSWERED_KEPT, PUBLIC_ASKED_KEPT = 0.6, 0.5, 0.25, 0.3
"""How many of the texts that could be written are."""
OTHER_PASSAGES_KEPT = 0.08
"""Of the passages beside a question that do not answer it."""
MOST_TASKS, MOST_OF_A_PASSAGE = 12, 48
"""Of a lesson, and of all lessons on one passage."""
LONGEST_EVIDENCE, LONGEST_CONTEXT = 1_600, 1_800
SHORTEST_PASSAGE, LONGEST_PASSAGE = 250, 1_500
MOST_OF_A_SET = 2_500
"""Passages of a public set that are written on."""
YES_OR_NO = {Answered.YES: "Yes", Answered.NO: "No"}
"""What is written as the answer to a yes/no question."""
_ANSWERED = {
    LABELS.index("supported"): Answered.YES,
    LABELS.index("contradicted"): Answered.NO,
    OPEN: Answered.OTHERWISE,
}


def lessons(folder: Path, seed: int) -> list[Lesson]:
    """From the rows to train on that `build` wrote to the folder."""
    made = _Lessons(np.random.default_rng(seed))
    made.claims(read(JudgeGroup, folder / "claims.jsonl.xz"))
    made.support(read(SupportRow, folder / "support.jsonl.xz"))
    made.questions(read(ReadGroup, folder / "questions.jsonl.xz"))
    made.readings(read(ReadRow, folder / "read.jsonl.xz"))
    return made.gathered()


class _Lessons:
    """Tasks by their passage, each once."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._chance = chance
        self._tasks: dict[str, dict[Task, None]] = {}

    def claims(self, groups: Iterable[JudgeGroup]) -> None:
        by_evidence: dict[str, list[JudgeGroup]] = {}
        for group in groups:
            by_evidence.setdefault(group.id.rpartition(":")[2], []).append(group)
        decided = by_evidence.get("gold", [])
        sampled = [group for name, most in SAMPLED.items() for group in self._some(by_evidence.get(name, []), most)]
        for group in (*decided, *sampled):
            for item in group.items:
                self._add(item.evidence, Task(Block.CLAIM, (item.claim,), item.label))
        for group in decided:
            true, false = group.items
            if true.evidence == false.evidence and self._chance.random() < PAIRS_KEPT:
                self._add(true.evidence, Task(Block.PAIR, (true.claim, false.claim)))

    def support(self, rows: Iterable[SupportRow]) -> None:
        kept = [row for row in rows if row.source != "snli" or self._chance.random() < SNLI_KEPT]
        for row in self._some(kept, SUPPORT_ROWS):
            label = LABELS.index(row.label) if row.label in LABELS else EITHER
            self._add(row.evidence[:LONGEST_EVIDENCE], Task(Block.CLAIM, (row.claim,), label))

    def questions(self, groups: Iterable[ReadGroup]) -> None:
        for group in groups:
            for number, asked in enumerate(group.questions):
                label = _ANSWERED.get(asked.verdict) if asked.verdict is not None else None
                for one in asked.passages:
                    if one.answers and label is not None:
                        span = one.text[slice(*one.span)] if one.span else YES_OR_NO.get(label, "")
                        self._question(one.text, asked.question, label, span, ASKED_KEPT)
                    elif not one.answers and number:
                        self._unanswered(one.text, asked.question, UNANSWERED_KEPT)
                    elif not one.answers and self._chance.random() < OTHER_PASSAGES_KEPT:
                        self._unanswered(one.text, asked.question, 0.0)

    def readings(self, rows: Iterable[ReadRow]) -> None:
        for row in self._some([row for row in rows if len(row.context) < LONGEST_CONTEXT], READ_ROWS):
            if row.start >= 0:
                self._question(row.context, row.question, Answered.OTHERWISE, row.answer, PUBLIC_ASKED_KEPT)
            else:
                self._unanswered(row.context, row.question, 0.0)

    def gathered(self) -> list[Lesson]:
        made = []
        for passage, tasks in self._tasks.items():
            order = self._some(list(tasks), MOST_OF_A_PASSAGE)
            made += [Lesson(passage, tuple(order[at : at + MOST_TASKS])) for at in range(0, len(order), MOST_TASKS)]
        return made

    def _question(self, passage: str, question: str, label: Answered, answer: str, written: float) -> None:
        self._add(passage, Task(Block.QUESTION, (question,), label))
        if answer and self._chance.random() < written:
            self._add(passage, Task(Block.ASKED, (question, answer)))

    def _unanswered(self, passage: str, question: str, written: float) -> None:
        self._add(passage, Task(Block.QUESTION, (question,), Answered.NOT))
        if self._chance.random() < written:
            self._add(passage, Task(Block.UNANSWERED, (question,)))

    def _add(self, passage: str, task: Task) -> None:
        self._tasks.setdefault(passage, {})[task] = None

    def _some(self, all_: Sequence[Some], most: int) -> list[Some]:
        return [all_[place] for place in self._chance.permutation(len(all_))[:most]]


def passages_to_write_on(folder: Path, seed: int) -> list[str]:
    """In a random order: those of authored documents that decide or answer something, and some of each public set."""
    chance = np.random.default_rng(seed)
    own = [one.evidence for group in read(JudgeGroup, folder / "claims.jsonl.xz") for one in group.items
           if group.id.endswith(":gold")]  # fmt: skip
    own += [
        one.text
        for group in read(ReadGroup, folder / "questions.jsonl.xz")
        for asked in group.questions
        for one in asked.passages
    ]
    public: dict[str, dict[str, None]] = {}
    for row in read(RankRow, folder / "rank.jsonl.xz"):
        public.setdefault(origin(row.source), {}).update(dict.fromkeys((row.positive, *row.negatives)))
    for one in read(ReadRow, folder / "read.jsonl.xz"):
        public.setdefault(origin(one.source), {})[one.context] = None
    chosen = dict.fromkeys(own)
    for texts in public.values():
        long_enough = [text[:LONGEST_PASSAGE] for text in texts if len(text) >= SHORTEST_PASSAGE]
        chosen |= dict.fromkeys(long_enough[place] for place in chance.permutation(len(long_enough))[:MOST_OF_A_SET])
    passages = list(chosen)
    return [passages[place] for place in chance.permutation(len(passages))]
