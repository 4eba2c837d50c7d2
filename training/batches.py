"""Rows as padded tensors: tokenized once, drawn in batches of like length so that little of a batch is padding."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from docmind.models.pairs import Pair, join
from docmind.models.tokens import encode
from training.rows import LABELS, JudgeGroup, RankRow, ReadGroup, ReadRow, Spans, SupportRow

Tokens = NDArray[np.uint16]
Marks = NDArray[np.int8]
UNKNOWN = -1
EITHER = len(LABELS)
"""Not supported, and nobody knows in which of the two ways."""
MAX_TOKENS = 448


@dataclass(slots=True)
class Item:
    """One row of tokens and what each head should say of it; UNKNOWN where nothing is known."""

    ids: Tokens
    passage: int
    verdict: int = UNKNOWN
    answers: int = UNKNOWN
    start: int = UNKNOWN
    end: int = UNKNOWN
    doubt: Marks | None = None
    marks: Marks | None = None


@dataclass(slots=True)
class Group:
    """Rows that are compared with each other; `better` holds pairs of places, the first of which is the right one."""

    items: list[Item]
    better: list[tuple[int, int]] = field(default_factory=list)
    """By verdict: the first is rather supported."""
    ranked: list[tuple[int, int]] = field(default_factory=list)
    """By answers, passages beside one question: the first rather answers."""
    twins: list[tuple[int, int]] = field(default_factory=list)
    """By answers, questions beside one passage: the first is rather answered."""

    @property
    def longest(self) -> int:
        return max(len(item.ids) for item in self.items)


class Encoding:
    """Texts by their tokens; a text that occurs often is tokenized once."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str]) -> None:
        known = list(dict.fromkeys(texts))
        self._known = dict(zip(known, encode(tokenizer, known), strict=True))

    def pair(self, first: str, second: str, *, skip: int = 0, most: int = MAX_TOKENS) -> Pair:
        return join(self._known[first], self._known[second], max_tokens=most, skip=skip)

    def place(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        held = [at for at, (begin, stop) in enumerate(self._known[text].offsets) if begin < end and start < stop]
        return (held[0], held[-1]) if held else None


def judge_items(tokenizer: Tokenizer, groups: Sequence[JudgeGroup]) -> list[Group]:
    known = Encoding(tokenizer, [text for group in groups for one in group.items for text in (one.claim, one.evidence)])
    made = []
    for group in groups:
        items = []
        for one in group.items:
            pair = known.pair(one.claim, one.evidence)
            items.append(
                Item(
                    _ids(pair),
                    pair.passage,
                    verdict=one.label,
                    doubt=None if one.doubts is None else _marked(pair, one.doubts, first=True),
                    marks=_marked(pair, one.marks) if one.marks else None,
                )
            )
        made.append(Group(items, better=[(0, 1)] if len(items) == 2 else []))
    return made


def question_items(tokenizer: Tokenizer, groups: Sequence[ReadGroup]) -> list[Group]:
    texts = [
        text
        for group in groups
        for asked in group.questions
        for text in (asked.question, *(one.text for one in asked.passages))
    ]
    known = Encoding(tokenizer, texts)
    made = []
    for group in groups:
        items: list[Item] = []
        ranked: list[tuple[int, int]] = []
        twins: list[tuple[int, int]] = []
        first_right = 0
        for number, asked in enumerate(group.questions):
            begin = len(items)
            for one in asked.passages:
                pair = known.pair(asked.question, one.text)
                item = Item(_ids(pair), pair.passage, answers=one.answers)
                if one.span is not None:
                    item.start, item.end = _span(known, pair, one.text, one.span)
                if one.answers:
                    item.marks = _marked(pair, one.marks)
                if asked.verdict is not None and (one.answers or number):
                    item.verdict = asked.verdict
                items.append(item)
            right = [at for at in range(begin, len(items)) if items[at].answers == 1]
            wrong = [at for at in range(begin, len(items)) if items[at].answers == 0]
            if number == 0:
                ranked += [(at, other) for at in right for other in wrong]
                first_right = right[0] if right else 0
            else:
                # The same passages look right for the twin, and are not.
                twins += [(first_right, other) for other in wrong[:2]]
        made.append(Group(items, ranked=ranked, twins=twins))
    return made


def support_items(tokenizer: Tokenizer, rows: Sequence[SupportRow]) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.claim, row.evidence)])
    made = []
    for row in rows:
        pair = known.pair(row.claim, row.evidence, most=384)
        spans = () if row.label == "supported" else row.unsupported
        doubt = None if spans is None else _marked(pair, spans, first=True)
        label = LABELS.index(row.label) if row.label in LABELS else EITHER
        made.append(Group([Item(_ids(pair), pair.passage, verdict=label, doubt=doubt)]))
    return made


def rank_items(tokenizer: Tokenizer, rows: Sequence[RankRow], passages: int) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.query, row.positive, *row.negatives)])
    made = []
    for row in rows:
        pairs = [known.pair(row.query, text, most=256) for text in (row.positive, *row.negatives[: passages - 1])]
        items = [Item(_ids(pair), pair.passage, answers=int(at == 0)) for at, pair in enumerate(pairs)]
        made.append(Group(items, ranked=[(0, at) for at in range(1, len(items))]))
    return made


def read_items(tokenizer: Tokenizer, rows: Sequence[ReadRow], chance: np.random.Generator) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.question, row.context)])
    made = []
    for row in rows:
        held = known.place(row.context, row.start, row.start + len(row.answer)) if row.start >= 0 else None
        if row.start >= 0 and held is None:
            continue
        # A passage longer than the model is cut anywhere that keeps the answer whole.
        skip = 0
        if held and held[1] >= 220:
            skip = int(chance.integers(max(0, held[1] - 160), held[0] + 1)) if held[0] else 0
        pair = known.pair(row.question, row.context, skip=skip, most=320)
        item = Item(_ids(pair), pair.passage, answers=int(held is not None))
        if held is not None:
            item.start, item.end = held[0] - skip + pair.passage, held[1] - skip + pair.passage
            if not 0 <= item.start <= item.end < len(pair.ids) - 1:
                continue
        made.append(Group([item]))
    return made


def _ids(pair: Pair) -> Tokens:
    return np.array(pair.ids, np.uint16)


def _span(known: Encoding, pair: Pair, text: str, span: tuple[int, int]) -> tuple[int, int]:
    held = known.place(text, *span)
    if held is None or held[1] + pair.passage >= len(pair.ids) - 1:
        return UNKNOWN, UNKNOWN
    return held[0] + pair.passage, held[1] + pair.passage


def _marked(pair: Pair, spans: Spans, *, first: bool = False) -> Marks:
    """1 for the tokens within the spans, 0 for the others of the same text, UNKNOWN for those of the other text."""
    marks = np.full(len(pair.ids), UNKNOWN, np.int8)
    offsets, begin = (pair.first_offsets, 1) if first else (pair.passage_offsets, pair.passage)
    for place, (start, end) in enumerate(offsets, begin):
        marks[place] = int(any(start < stop and at < end for at, stop in spans))
    return marks


@dataclass
class Batch:
    """Rows on one device."""

    ids: Tensor
    lengths: Tensor
    passage: Tensor
    verdict: Tensor
    answers: Tensor
    start: Tensor
    end: Tensor
    doubt: Tensor
    marks: Tensor
    better: Tensor
    ranked: Tensor
    twins: Tensor

    def to(self, device: str) -> "Batch":
        """Small numbers travel; what is counted with are long ones."""
        return Batch(**{name: tensor.to(device, non_blocking=True).long() for name, tensor in vars(self).items()})


def collate(groups: Sequence[Group]) -> Batch:
    items = [item for group in groups for item in group.items]
    lengths = np.array([len(item.ids) for item in items])
    width = -(-int(lengths.max()) // 32) * 32

    def tokens(rows: Sequence[NDArray[Any] | None], filler: int, kind: type[np.generic]) -> Tensor:
        padded = np.full((len(rows), width), filler, kind)
        for at, row in enumerate(rows):
            if row is not None:
                padded[at, : len(row)] = row
        return torch.from_numpy(padded)

    def pairs(name: str) -> Tensor:
        found, begin = [], 0
        for group in groups:
            found += [(begin + one, begin + other) for one, other in getattr(group, name)]
            begin += len(group.items)
        return torch.tensor(found, dtype=torch.long).view(-1, 2)

    def numbers(name: str) -> Tensor:
        return torch.tensor([getattr(item, name) for item in items])

    return Batch(
        tokens([item.ids for item in items], 0, np.int32),
        torch.from_numpy(lengths),
        numbers("passage"),
        numbers("verdict"),
        numbers("answers"),
        numbers("start"),
        numbers("end"),
        tokens([item.doubt for item in items], UNKNOWN, np.int8),
        tokens([item.marks for item in items], UNKNOWN, np.int8),
        pairs("better"),
        pairs("ranked"),
        pairs("twins"),
    )


@dataclass(frozen=True)
class Share:
    """Groups of one kind and how many of them stand in a batch."""

    groups: Sequence[Group]
    size: int


def feed(shares: Sequence[Share], chance: np.random.Generator) -> Iterator[Batch]:
    """Endless batches of all kinds together; of each kind every group comes once before any comes again."""
    parts = [_like_lengths(share, chance) for share in shares if share.groups and share.size]
    while True:
        # Long ones of one kind go with long ones of another: the order within a stretch is by length.
        yield collate([group for part in parts for group in next(part)])


def _like_lengths(share: Share, chance: np.random.Generator) -> Iterator[Sequence[Group]]:
    while True:
        order = chance.permutation(len(share.groups))
        stretch = share.size * 8
        for at in range(0, len(order), stretch):
            near = sorted(order[at : at + stretch], key=lambda place: share.groups[place].longest)
            starts = range(0, max(1, len(near) - share.size + 1), share.size)
            for start in chance.permutation(np.array(starts)):
                yield [share.groups[place] for place in near[start : start + share.size]]
