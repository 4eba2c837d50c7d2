"""Batches of rows, put together where the model is: all rows lie in the device's memory.

Rows lie in bins of one width, several to a bin and none in two, so that hardly anything is padded.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.packed import PAIRS, UNKNOWN, PackedRows, Places, stretches

MAX_TOKENS = 448
_MASK = 103
"""The last token of the vocabulary before the words."""


@dataclass
class Layout:
    """Where each row lies among the tokens."""

    row: Tensor
    """Of each token, the number of its row; -1 where there is none."""
    places: Tensor
    """Of each token, its place in its row."""
    width: int
    """Tokens of a bin."""


def lay_out(lengths: Places, width: int) -> tuple[Places, int]:
    """Where each row begins, and how many bins that takes: longest first, each where it fits best."""
    begin = np.zeros(len(lengths), np.int64)
    rooms: list[tuple[int, int]] = []
    bins = 0
    for row in np.argsort(-lengths, kind="stable").tolist():
        need = int(lengths[row])
        at = bisect_left(rooms, (need, 0))
        if at < len(rooms):
            room, chosen = rooms.pop(at)
        else:
            room, chosen, bins = width, bins, bins + 1
        begin[row] = (chosen + 1) * width - room
        insort(rooms, (room - need, chosen))
    return begin, bins


@dataclass
class Batch:
    """Rows on one device, and what each head should say of them and of their tokens."""

    ids: Tensor
    kinds: Tensor
    layout: Layout
    first: Tensor
    """Where each row begins."""
    lengths: Tensor
    passage: Tensor
    verdict: Tensor
    answers: Tensor
    start: Tensor
    end: Tensor
    graded: Tensor
    doubt: Tensor
    marks: Tensor
    spans: Tensor
    """The rows whose answer's place is known."""
    better: Tensor
    ranked: Tensor
    twins: Tensor


class ResidentRows:
    """All rows in the memory of a device."""

    def __init__(self, rows: PackedRows, device: str) -> None:
        self.packed, self.device = rows, device
        self._ids = torch.from_numpy(rows.ids.astype(np.int32)).to(device)
        self._told = torch.from_numpy(rows.told).to(device)
        self._length = rows.length.astype(np.int64)
        begin = np.cumsum(self._length) - self._length
        columns = (begin, self._length, rows.passage, rows.verdict, rows.answers, rows.start, rows.end, rows.graded)
        self._columns = torch.from_numpy(np.stack([column.astype(np.int64) for column in columns])).to(device)
        self._rows, self._pairs = rows.rows.astype(np.int64), rows.pairs.astype(np.int64)
        self.first_row = np.cumsum(self._rows) - self._rows
        self._first_pair = np.cumsum(self._pairs) - self._pairs
        self.tokens = np.add.reduceat(self._length, self.first_row) if len(self._rows) else self._rows
        """Of each group."""

    def rows_of(self, groups: Places) -> Places:
        return stretches(self.first_row[groups], self._rows[groups])

    def batch(self, groups: Places, bins: int = 0, masked: float = 0.0) -> Batch:
        """The rows of these groups, in so many bins or, where these are too few, in as many as they need.

        In every second row that share of the words is masked, but never one that decides: what is left must do.
        """
        chosen = self.rows_of(groups)
        total = int(self._length[chosen].sum())
        laid, needed = lay_out(self._length[chosen], MAX_TOKENS)
        first = self._send(laid)
        begin, length, passage, verdict, answers, start, end, graded = self._columns[:, self._send(chosen)]
        number = torch.arange(len(length), device=self.device)
        before = torch.stack([length.cumsum(0) - length, begin, first, passage, number])
        on_end, begins, firsts, passages, row = torch.repeat_interleave(before, length, 1, output_size=total)
        places = torch.arange(total, device=self.device) - on_end
        told = self._told[begins + places].int()
        ids, kinds = self._ids[begins + places], told // 9 + 2 * (places >= passages)
        doubt, marks = told % 3 - 1, told // 3 % 3 - 1
        if masked:
            hidden = self._every_second(length, total) & (torch.rand(total, device=self.device) < masked)
            ids = torch.where(hidden & (ids > _MASK) & (doubt < 1) & (marks < 1), _MASK, ids)
        size = max(bins, needed) * MAX_TOKENS

        def spread(values: Tensor, filler: int = 0) -> Tensor:
            return torch.full((size,), filler, device=self.device, dtype=values.dtype).scatter(
                0, firsts + places, values
            )

        layout = Layout(spread(row, -1), spread(places), MAX_TOKENS)
        known = np.flatnonzero(self.packed.start[chosen] != UNKNOWN)
        return Batch(
            spread(ids), spread(kinds), layout, first, length, passage, verdict, answers, start, end, graded,
            spread(doubt, UNKNOWN), spread(marks, UNKNOWN), self._send(known), *self._compared(groups),
        )  # fmt: skip

    def _every_second(self, length: Tensor, total: int) -> Tensor:
        """Of each token whether its row is among those drawn, which half of them are."""
        drawn = torch.rand(len(length), device=self.device) < 0.5
        return torch.repeat_interleave(drawn, length, output_size=total)

    def _compared(self, groups: Places) -> list[Tensor]:
        """The pairs of each kind, by where their rows stand in the batch."""
        counts = self._pairs[groups]
        pairs = self.packed.pair[stretches(self._first_pair[groups], counts)]
        before = np.repeat(np.cumsum(self._rows[groups]) - self._rows[groups], counts)
        held = before[:, None] + pairs[:, 1:]
        return [self._send(held[pairs[:, 0] == kind]) for kind in range(len(PAIRS))]

    def _send(self, numbers: Places) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(self.device, non_blocking=True)


def draw(rows: ResidentRows, shares: Mapping[str, float], tokens: int, chance: np.random.Generator) -> Iterator[Places]:
    """Endless choices of groups of all kinds together that fit into so many tokens.

    Of each kind every group comes once before any comes again. What a kind leaves of its share the next one may use.
    """
    kinds = {name: share for name, share in shares.items() if share and len(rows.packed.groups_of(name))}
    whole = sum(kinds.values())
    queues = [_Queue(rows, rows.packed.groups_of(name), chance) for name in kinds]
    while True:
        chosen, left = [], 0.0
        for queue, share in zip(queues, kinds.values(), strict=True):
            left += tokens * share / whole
            groups, used = queue.take(int(left))
            left -= used
            chosen.append(groups)
        yield np.concatenate(chosen)


class _Queue:
    """The groups of one kind in a random order, again and again."""

    def __init__(self, rows: ResidentRows, groups: Places, chance: np.random.Generator) -> None:
        self._groups, self._chance, self._tokens = groups, chance, rows.tokens
        self._shuffle()

    def _shuffle(self) -> None:
        self._order, self._at = self._chance.permutation(self._groups), 0
        self._ends = np.cumsum(self._tokens[self._order])

    def take(self, tokens: int) -> tuple[Places, int]:
        """The next groups that fit, and how many tokens they have."""
        if self._at == len(self._order):
            self._shuffle()
        before = int(self._ends[self._at - 1]) if self._at else 0
        until = int(np.searchsorted(self._ends, before + tokens, "right"))
        taken, self._at = self._order[self._at : until], until
        return taken, int(self._ends[until - 1]) - before if until else 0
