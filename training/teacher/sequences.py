"""Lessons as tokens, in flat arrays and in batches.

Sequences lie in bins of one width, several to a bin and none in two, as the reader's rows do.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.batches import lay_out
from training.packed import Places, Tokens, stretches
from training.teacher.rows import Block, Lesson, Task
from training.teacher.vocabulary import Vocabulary

WIDTH = 1_024
"""Tokens of a bin, and the most of a sequence."""
PASSAGE_TOKENS, TEXT_TOKENS = 420, 100
"""What is kept of a passage and of a text behind it."""
LEADS = {
    Block.CLAIM: "\nStatement: ",
    Block.QUESTION: "\nQuestion: ",
    Block.PAIR: "\nTrue and false: ",
    Block.ASKED: "\nAsk: ",
    Block.UNANSWERED: "\nAsk what is missing: ",
}
"""What stands before each block."""
CLOSES = {Block.CLAIM: "\nVerdict:", Block.QUESTION: "\nAnswered:"}
"""What stands before a label."""
LABEL_WORDS = {
    Block.CLAIM: (" true", " unknown", " false"),
    Block.QUESTION: (" yes", " none", " no", " other"),
}
"""One word a label, in the order of `LABELS` and of `Answered`."""
ALL_LABEL_WORDS = (*LABEL_WORDS[Block.CLAIM], *LABEL_WORDS[Block.QUESTION])
PROMPTS = (*LEADS.values(), *CLOSES.values(), *ALL_LABEL_WORDS)
"""Every text that is not of a passage or task."""
TEXTS = {Block.CLAIM: 1, Block.QUESTION: 1, Block.PAIR: 2, Block.ASKED: 2, Block.UNANSWERED: 1}
"""How many a block has."""


class Role(IntEnum):
    """What comes after a token: nothing to be learned, the next token, or a label."""

    READ = 0
    WRITE = 1
    CLAIM = 2
    QUESTION = 3


@dataclass(frozen=True)
class Piece:
    """A block as tokens."""

    ids: Tokens
    role: NDArray[np.uint8]
    label: int = 0


def to_be_labelled(words: Vocabulary, block: Block, text: Tokens, label: int = 0) -> Piece:
    ids = np.concatenate([words.ids(LEADS[block]), text[:TEXT_TOKENS], words.ids(CLOSES[block])])
    role = np.full(len(ids), Role.READ, np.uint8)
    role[-1] = Role.CLAIM if block == Block.CLAIM else Role.QUESTION
    return Piece(ids, role, label)


def to_be_written(words: Vocabulary, block: Block, texts: Sequence[Tokens]) -> Piece:
    lead = words.ids(LEADS[block])
    ends = [words.separator] * (len(texts) - 1) + [words.end]
    parts = [np.append(text[:TEXT_TOKENS], np.uint16(end)) for text, end in zip(texts, ends, strict=True)]
    ids = np.concatenate([lead, *parts])
    role = np.full(len(ids), Role.WRITE, np.uint8)
    role[: len(lead) - 1] = role[-1] = Role.READ
    return Piece(ids, role)


def piece(words: Vocabulary, task: Task) -> Piece:
    texts = [words.ids(text) for text in task.texts]
    if task.block in CLOSES:
        return to_be_labelled(words, task.block, texts[0], task.label)
    return to_be_written(words, task.block, texts)


def sequences_of(words: Vocabulary, lessons: Iterable[Lesson], longest_passage: int = PASSAGE_TOKENS) -> "Sequences":
    """Each lesson with as many of its tasks as have room in a bin."""

    def fitting(lesson: Lesson) -> tuple[Tokens, list[Piece]]:
        passage = words.ids(lesson.passage)[:longest_passage]
        pieces = [piece(words, task) for task in lesson.tasks]
        ends = len(passage) + np.cumsum([len(one.ids) for one in pieces])
        return passage, pieces[: int(np.searchsorted(ends, WIDTH, "right"))]

    return Sequences.of(map(fitting, lessons))


@dataclass
class Batch:
    """Sequences on a device; the first four are by bin."""

    ids: Tensor
    places: Tensor
    """Of each token, how many it sees before itself."""
    sequence: Tensor
    """Of each token, the number of its sequence in the batch; -1 where there is none."""
    block: Tensor
    """Of each token, the number of its block in its sequence; 0 is the passage."""
    role: Tensor
    target: Tensor
    """The next token or the label, according to the role."""
    labelled: Places
    """The labels in the order of their tokens, by their numbers among all."""

    @property
    def mask(self) -> Tensor:
        """Whether a token sees another: those before it in its passage and its block."""
        along = torch.arange(WIDTH, device=self.ids.device)
        together = self.sequence[:, :, None] == self.sequence[:, None]
        in_sight = (self.block[:, None] == 0) | (self.block[:, :, None] == self.block[:, None])
        return (together & in_sight & (along[:, None] >= along))[:, None]


@dataclass(frozen=True)
class Sequences:
    """Tokens of all sequences on end."""

    ids: Tokens
    block: NDArray[np.uint8]
    role: NDArray[np.uint8]
    target: Tokens
    length: Places
    """Of each sequence."""

    @classmethod
    def of(cls, passages: Iterable[tuple[Tokens, Sequence[Piece]]]) -> "Sequences":
        """Passages with their blocks."""
        ids: list[Tokens] = [np.zeros(0, np.uint16)]
        block, role = [np.zeros(0, np.uint8)], [np.zeros(0, np.uint8)]
        target, lengths = [np.zeros(0, np.uint16)], []
        for passage, pieces in passages:
            length = len(passage) + sum(len(one.ids) for one in pieces)
            if length > WIDTH:
                raise ValueError(f"A sequence of {length:,} tokens does not fit into {WIDTH:,}.")
            lengths.append(length)
            for number, one in enumerate((Piece(passage, np.zeros(len(passage), np.uint8)), *pieces)):
                ids.append(one.ids)
                role.append(one.role)
                block.append(np.full(len(one.ids), number, np.uint8))
                target.append(np.append(one.ids[1:], np.uint16(one.label)))
        return cls(
            np.concatenate(ids),
            np.concatenate(block),
            np.concatenate(role),
            np.concatenate(target),
            np.array(lengths, np.int64),
        )

    @cached_property
    def _begin(self) -> Places:
        return np.cumsum(self.length) - self.length

    @cached_property
    def _places(self) -> Places:
        """Each block goes on where the passage ends."""
        at, sequence = np.arange(len(self.ids)), np.repeat(np.arange(len(self.length)), self.length)
        begins = np.ones(len(at), bool)
        begins[1:] = (self.block[1:] != self.block[:-1]) | (sequence[1:] != sequence[:-1])
        first = np.maximum.accumulate(np.where(begins, at, 0))
        passage = np.bincount(sequence, self.block == 0, len(self.length)).astype(np.int64)
        places: Places = at - first + np.where(self.block > 0, passage[sequence], 0)
        return places

    @cached_property
    def _label_number(self) -> Places:
        return np.cumsum(self.role >= Role.CLAIM) - 1

    @property
    def labels(self) -> int:
        """How many blocks end with a label."""
        return int((self.role >= Role.CLAIM).sum())

    def cut(self, order: Places, tokens: int) -> list[Places]:
        """The sequences in this order, so many to a part that it has about so many tokens."""
        ends = np.cumsum(self.length[order])
        return np.split(order, np.flatnonzero(np.diff(ends // tokens)) + 1) if len(order) else []

    def drawn(self, tokens: int, chance: np.random.Generator) -> Iterator[Places]:
        """Endless parts in random order; every sequence comes once before any comes again."""
        while True:
            yield from self.cut(chance.permutation(len(self.length)), tokens)

    def batch(self, chosen: Places, device: str) -> Batch:
        length = self.length[chosen]
        begin, bins = lay_out(length, WIDTH)
        taken, at = stretches(self._begin[chosen], length), stretches(begin, length)

        def spread(values: NDArray[np.integer], filler: int = 0) -> Tensor:
            held = np.full(bins * WIDTH, filler, np.int64)
            held[at] = values
            return torch.from_numpy(held).to(device, non_blocking=True)

        in_order = taken[np.argsort(at, kind="stable")]
        return Batch(
            ids=spread(self.ids[taken]).view(bins, WIDTH),
            places=spread(self._places[taken]).view(bins, WIDTH),
            sequence=spread(np.repeat(np.arange(len(chosen)), length), -1).view(bins, WIDTH),
            block=spread(self.block[taken]).view(bins, WIDTH),
            role=spread(self.role[taken]),
            target=spread(self.target[taken]),
            labelled=self._label_number[in_order][self.role[in_order] >= Role.CLAIM],
        )
