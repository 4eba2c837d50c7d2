"""Tokenized rows as a few flat arrays: one file that is read where neither DocMind nor a tokenizer is installed."""

import io
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.uint16]
Marks = NDArray[np.int8]
Places = NDArray[np.int64]
UNKNOWN = -1
EITHER = 3
"""A verdict: not supported, and nobody knows in which of the two ways."""
OPEN = 4
"""A verdict: neither yes nor no, since this is no yes/no question."""
SHARES = ("claims", "made", "support", "questions", "rank", "read", "graded_claims", "graded_questions")
"""The kinds of group that are trained on; `Plan.shares` says how much of a batch each gets."""
TUNING = ("tune_claims", "tune_blind", "tune_questions")
"""The kinds that are evaluated on; `tune_blind` holds the claims without their evidence."""
PAIRS = ("better", "ranked", "twins")
_DICTIONARY = 192 * 2**20
"""Bytes that compression looks back: a passage stands in many rows, far apart."""


@dataclass(slots=True)
class Item:
    """One row of tokens and what each head should say of it; UNKNOWN where nothing is known."""

    ids: Tokens
    passage: int
    """Where the second text begins."""
    verdict: int = UNKNOWN
    answers: int = UNKNOWN
    start: int = UNKNOWN
    end: int = UNKNOWN
    doubt: Marks | None = None
    marks: Marks | None = None
    twin: int = 0
    """Of a question, whether it is the twin that is not answered."""
    graded: int = UNKNOWN
    """In percent, how likely a teacher thinks it that the claim is supported or the question answered."""


@dataclass(slots=True)
class Group:
    """Rows that are compared with each other; each pair names two of them, the right one first."""

    items: list[Item]
    better: list[tuple[int, int]] = field(default_factory=list)
    """By verdict: the first is rather supported."""
    ranked: list[tuple[int, int]] = field(default_factory=list)
    """By answers, passages beside one question: the first rather answers."""
    twins: list[tuple[int, int]] = field(default_factory=list)
    """By answers, questions beside one passage: the first is rather answered."""


@dataclass(frozen=True)
class PackedRows:
    """Tokens of all rows on end, numbers a row, numbers a group, and pairs of rows within their group."""

    ids: Tokens
    told: NDArray[np.uint8]
    """Of each token three things in one number: doubt, marks, and whether the other text has it too."""
    length: NDArray[np.uint16]
    passage: NDArray[np.uint16]
    verdict: NDArray[np.int8]
    answers: NDArray[np.int8]
    start: NDArray[np.int16]
    end: NDArray[np.int16]
    twin: NDArray[np.int8]
    graded: NDArray[np.int8]
    share: NDArray[np.uint8]
    rows: NDArray[np.uint16]
    pairs: NDArray[np.uint16]
    pair: NDArray[np.uint8]
    """Kind, right one and wrong one of each pair."""

    def write(self, path: Path) -> None:
        content = io.BytesIO()
        np.savez(content, **vars(self))
        how = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": _DICTIONARY}]
        write_parts(lzma.compress(content.getvalue(), filters=how), path)

    @classmethod
    def read(cls, path: Path) -> "PackedRows":
        with np.load(io.BytesIO(lzma.decompress(read_parts(path)))) as held:
            return cls(**{one.name: held[one.name] for one in fields(cls)})

    def groups_of(self, share: str) -> Places:
        """The numbers of its groups."""
        return np.flatnonzero(self.share == (*SHARES, *TUNING).index(share))


def pack(shares: Mapping[str, Iterable[Group]]) -> PackedRows:
    groups = [(name, group) for name, some in shares.items() for group in some]
    items = [item for _, group in groups for item in group.items]
    names = (*SHARES, *TUNING)

    def numbers(name: str, kind: type[np.generic]) -> NDArray[Any]:
        return np.array([getattr(item, name) for item in items], kind)

    pairs = [[(kind, *pair) for kind, name in enumerate(PAIRS) for pair in getattr(group, name)] for _, group in groups]
    return PackedRows(
        ids=np.concatenate([item.ids for item in items]),
        told=np.concatenate([_told(item) for item in items]),
        length=np.array([len(item.ids) for item in items], np.uint16),
        passage=numbers("passage", np.uint16),
        verdict=numbers("verdict", np.int8),
        answers=numbers("answers", np.int8),
        start=numbers("start", np.int16),
        end=numbers("end", np.int16),
        twin=numbers("twin", np.int8),
        graded=numbers("graded", np.int8),
        share=np.array([names.index(name) for name, _ in groups], np.uint8),
        rows=np.array([len(group.items) for _, group in groups], np.uint16),
        pairs=np.array([len(some) for some in pairs], np.uint16),
        pair=np.array([one for some in pairs for one in some], np.uint8).reshape(-1, 3),
    )


def _told(item: Item) -> NDArray[np.uint8]:
    first, second = item.ids[: item.passage], item.ids[item.passage :]
    shared = np.concatenate([np.isin(first, second), np.isin(second, first)])
    unknown = np.full(len(item.ids), UNKNOWN, np.int8)
    doubt = unknown if item.doubt is None else item.doubt
    marks = unknown if item.marks is None else item.marks
    told: NDArray[np.uint8] = ((doubt + 1) + 3 * (marks + 1) + 9 * shared).astype(np.uint8)
    return told


def stretches(begin: Places, counts: Places) -> Places:
    """The numbers from each beginning on, as many as counted, on end."""
    before = np.cumsum(counts) - counts
    return np.repeat(begin - before, counts) + np.arange(int(counts.sum()))


def write_parts(content: bytes, path: Path, largest: int | None = None) -> None:
    """One file, or files `path.0`, `path.1` … of at most so many bytes."""
    if largest is None:
        path.write_bytes(content)
        return
    for number, at in enumerate(range(0, len(content), largest)):
        path.with_name(f"{path.name}.{number}").write_bytes(content[at : at + largest])


def read_parts(path: Path) -> bytes:
    """What `write_parts` wrote, in one file or in several."""
    parts = sorted(path.parent.glob(f"{path.name}.[0-9]*"), key=lambda part: int(part.suffix[1:]))
    return b"".join(part.read_bytes() for part in ([path] if path.is_file() or not parts else parts))
