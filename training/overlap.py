"""Keeps what the benchmarks hold out of the training set: no row shares a run of words with them."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from training.data import Pieces
from training.rows import RankRow, ReadRow, SupportRow

_WORD = re.compile(r"\w{1,40}+")
_RUN = 8
_STRIDE = 5
SHARED_WORDS = _RUN + _STRIDE - 1
"""A run of this many words in common is always found, since every start is known on one side and each fifth tried."""


class Benchmarks:
    """The word runs of every benchmark text under a folder."""

    def __init__(self, data: Path) -> None:
        self._runs = {run for text in _texts(data) for run in _runs(text, 1)}

    def share(self, *texts: str) -> bool:
        return any(run in self._runs for text in texts for run in _runs(text, _STRIDE))

    def without(self, pieces: Pieces) -> tuple[Pieces, dict[str, int]]:
        """The pieces that share nothing with the benchmarks, and how many rows of each kind did."""
        known: dict[str, bool] = {}

        def clean(*texts: str) -> bool:
            for text in texts:
                if text not in known:
                    known[text] = self.share(text)
            return not any(known[text] for text in texts)

        left = Pieces(
            [row for row in pieces.support if clean(row.claim, row.evidence)],
            [kept for row in pieces.rank if (kept := _cleaned(row, clean)) is not None],
            [row for row in pieces.read if clean(row.question, row.context)],
        )
        return left, {
            name: len(getattr(pieces, name)) - len(getattr(left, name)) for name in ("support", "rank", "read")
        }


def _cleaned(row: RankRow, clean: Callable[..., bool]) -> RankRow | None:
    if not clean(row.query, row.positive):
        return None
    return RankRow(row.query, row.positive, tuple(text for text in row.negatives if clean(text)), row.source)


def _runs(text: str, stride: int) -> Iterator[int]:
    words = _WORD.findall(text.lower())
    for at in range(0, len(words) - _RUN + 1, stride):
        yield hash(tuple(words[at : at + _RUN]))


def _texts(data: Path) -> Iterator[str]:
    csv.field_size_limit(10**7)
    for name, columns in (("scifact/corpus.csv", ("title", "abstract")), ("scifact/claims.csv", ("claim",))):
        path = data / name
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as lines:
                for row in csv.DictReader(lines):
                    yield from (row[column] for column in columns)
    for name in ("ragtruth/qa.jsonl", "ragtruth/summary.jsonl", "wice/claims.jsonl", "mtrag-un/tasks.jsonl"):
        path = data / name
        if path.is_file():
            yield from (text for line in path.read_text("utf-8").splitlines() for text in _strings(json.loads(line)))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for one in value.values() for text in _strings(one))
    elif isinstance(value, Sequence):
        yield from (text for one in value for text in _strings(one))


def texts_of(row: SupportRow | RankRow | ReadRow) -> tuple[str, ...]:
    if isinstance(row, SupportRow):
        return row.claim, row.evidence
    if isinstance(row, RankRow):
        return row.query, row.positive, *row.negatives
    return row.question, row.context
