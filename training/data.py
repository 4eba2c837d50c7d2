"""The public pieces as they come: read, with what may not ship taken away."""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from training.rows import NOT_SUPPORTED, RankRow, ReadRow, SupportRow
from training.sources import LEFT_OUT, NAMES, is_made_by_rule, origin

PARTS = ("permissive", "share-alike")


@dataclass(frozen=True)
class Pieces:
    """What people wrote."""

    support: list[SupportRow]
    rank: list[RankRow]
    read: list[ReadRow]


def load(data: Path, rows_each: int | None = None) -> Pieces:
    """The pieces under `data`/train, with only `rows_each` rows of every set where that is given."""
    support = [row for row in map(_support, _rows(data, "support")) if not is_made_by_rule(row.source)]
    rank = list(map(_rank, _rows(data, "rank")))
    # The SQuAD sets share many questions: each of them once.
    read = list({(row.question, row.context): row for row in map(_reading, _rows(data, "read"))}.values())
    return Pieces(_kept(support, rows_each), _kept(rank, rows_each), _kept(read, rows_each))


def wikipedia(data: Path) -> list[str]:
    """Wikipedia passages that came with the pieces as evidence of claims made by rule."""
    rows = (row for row in _rows(data, "support") if row["source"] == "syn_pos:wikipedia")
    return list(dict.fromkeys(row["evidence"] for row in rows))


def _rows(data: Path, kind: str) -> Iterator[dict[str, Any]]:
    for part in PARTS:
        with lzma.open(data / "train" / part / f"{kind}.jsonl.xz", "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _may_ship(source: str) -> bool:
    name = origin(source)
    if name in LEFT_OUT:
        return False
    if name not in NAMES:
        raise ValueError(f"The rows name a set that sources.py does not list: {source!r}.")
    return True


def _support(row: dict[str, Any]) -> SupportRow:
    """In SNLI any two scenes contradict each other, though one says nothing of the other: taken as either."""
    label = "unsupported" if row["label"] == "neutral" else row["label"]
    if row["source"] == "snli" and label == "contradicted":
        label = NOT_SUPPORTED
    return SupportRow(row["claim"], row["evidence"], label, row["source"])


def _rank(row: dict[str, Any]) -> RankRow:
    return RankRow(row["query"], row["positive"], tuple(row["negatives"]), row["source"])


def _reading(row: dict[str, Any]) -> ReadRow:
    start = row["start"] if row["answer"] else -1
    return ReadRow(row["question"], row["context"], start, row["answer"], row["source"])


def _kept(rows: list[Any], most: int | None) -> list[Any]:
    kept = [row for row in rows if _may_ship(row.source)]
    if most is None:
        return kept
    ordered = sorted(kept, key=lambda row: row.source)
    return [row for _, block in groupby(ordered, lambda row: row.source) for row in list(block)[:most]]
