"""Rows as padded tensors: tokenized once, drawn in batches of like length so that little of a batch is padding."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor

from docmind.models.pairs import Pair, encode_pairs, join
from docmind.models.tokens import encode
from training.rows import LABELS, RankRow, ReadRow, SupportRow

Tokens = NDArray[np.uint16]
RANK_TOKENS = 256
READ_TOKENS = 320
UNKNOWN = -1
EITHER = len(LABELS)
"""Not supported, and nobody knows in which of the two ways."""


@dataclass(frozen=True, slots=True)
class SupportItem:
    ids: Tokens
    label: int
    words: NDArray[np.int8]
    """1 where the claim's token is unsupported, 0 where it is not, UNKNOWN elsewhere."""


@dataclass(frozen=True, slots=True)
class RankItem:
    ids: list[Tokens]


@dataclass(frozen=True, slots=True)
class ReadItem:
    ids: Tokens
    passage: int
    start: int
    end: int


@dataclass
class Batch:
    """Rows of one kind on one device."""

    ids: Tensor
    lengths: Tensor
    targets: dict[str, Tensor]
    passages: int = 0
    """How many rows belong to one query, where that is so."""

    def to(self, device: str) -> "Batch":
        def move(tensor: Tensor) -> Tensor:
            return tensor.to(device, non_blocking=True)

        targets = {name: move(tensor) for name, tensor in self.targets.items()}
        return Batch(move(self.ids), move(self.lengths), targets, self.passages)


Item = TypeVar("Item", SupportItem, RankItem, ReadItem)


def support_items(tokenizer: Tokenizer, rows: Sequence[SupportRow]) -> list[SupportItem]:
    pairs = encode_pairs(tokenizer, [(row.claim, row.evidence) for row in rows])
    return [_support_item(row, pair) for row, pair in zip(rows, pairs, strict=True)]


def _support_item(row: SupportRow, pair: Pair) -> SupportItem:
    label = LABELS.index(row.label) if row.label in LABELS else EITHER
    spans = () if row.label == "supported" else row.unsupported
    words = np.full(len(pair.ids), UNKNOWN, np.int8)
    if spans is not None:
        for place, (start, end) in enumerate(pair.first_offsets, 1):
            words[place] = int(any(start < stop and begin < end for begin, stop in spans))
    return SupportItem(_tokens(pair), label, words)


def rank_items(tokenizer: Tokenizer, rows: Sequence[RankRow], passages: int) -> list[RankItem]:
    flat = [(row.query, text) for row in rows for text in (row.positive, *row.negatives[: passages - 1])]
    pairs = encode_pairs(tokenizer, flat, max_tokens=RANK_TOKENS)
    return [RankItem([_tokens(pair) for pair in pairs[at : at + passages]]) for at in range(0, len(pairs), passages)]


def read_items(tokenizer: Tokenizer, rows: Sequence[ReadRow], chance: np.random.Generator) -> list[ReadItem]:
    texts = list(dict.fromkeys(text for row in rows for text in (row.question, row.context)))
    known = dict(zip(texts, encode(tokenizer, texts), strict=True))
    items = []
    for row in rows:
        first, second = known[row.question], known[row.context]
        held = _tokens_of(second.offsets, row.start, row.start + len(row.answer)) if row.start >= 0 else None
        if row.start >= 0 and held is None:
            continue
        # A passage longer than the model is cut anywhere that keeps the answer whole.
        skip = 0
        if held and held[1] >= READ_TOKENS - len(first.ids) - 3:
            skip = int(chance.integers(max(0, held[1] - READ_TOKENS // 2), held[0] + 1)) if held[0] else 0
        pair = join(first, second, max_tokens=READ_TOKENS, skip=skip)
        start, end = (held[0] - skip + pair.passage, held[1] - skip + pair.passage) if held else (0, 0)
        if 0 <= start <= end < len(pair.ids) - 1:
            items.append(ReadItem(_tokens(pair), pair.passage, start, end))
    return items


def _tokens(pair: Pair) -> Tokens:
    return np.array(pair.ids, np.uint16)


def _tokens_of(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    held = [place for place, (begin, stop) in enumerate(offsets) if begin < end and start < stop]
    return (held[0], held[-1]) if held else None


def collate_support(items: Sequence[SupportItem]) -> Batch:
    ids, lengths = pad([item.ids for item in items])
    words, _ = pad([item.words for item in items], UNKNOWN)
    return Batch(ids, lengths, {"label": torch.tensor([item.label for item in items]), "words": words})


def collate_rank(items: Sequence[RankItem]) -> Batch:
    ids, lengths = pad([ids for item in items for ids in item.ids])
    return Batch(ids, lengths, {}, len(items[0].ids))


def collate_read(items: Sequence[ReadItem]) -> Batch:
    ids, lengths = pad([item.ids for item in items])
    numbers = {name: torch.tensor([getattr(item, name) for item in items]) for name in ("passage", "start", "end")}
    return Batch(ids, lengths, numbers)


def pad(rows: Sequence[NDArray[Any]], filler: int = 0) -> tuple[Tensor, Tensor]:
    """To the longest row, rounded up so that only a few widths occur."""
    lengths = np.array([len(row) for row in rows])
    width = -(-int(lengths.max()) // 32) * 32
    padded: NDArray[np.int64] = np.full((len(rows), width), filler, np.int64)
    padded[np.arange(width) < lengths[:, None]] = np.concatenate(rows)
    return torch.from_numpy(padded), torch.from_numpy(lengths)


@dataclass
class Feed(Generic[Item]):
    """Endless batches of one kind, every row once before any comes again."""

    items: Sequence[Item]
    size: int
    collate: Callable[[Sequence[Item]], Batch]
    chance: np.random.Generator

    def __iter__(self) -> Iterator[Batch]:
        width = [_longest(item) for item in self.items]
        while True:
            order = self.chance.permutation(len(self.items))
            stretch = self.size * 24
            for at in range(0, len(order), stretch):
                near = sorted(order[at : at + stretch], key=lambda place: width[place])
                starts = range(0, max(1, len(near) - self.size + 1), self.size)
                for start in self.chance.permutation(np.array(starts)):
                    yield self.collate([self.items[place] for place in near[start : start + self.size]])


def _longest(item: SupportItem | RankItem | ReadItem) -> int:
    return max(map(len, item.ids)) if isinstance(item, RankItem) else len(item.ids)
