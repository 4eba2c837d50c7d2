"""The public pieces as they come: read, with what may not ship and what is held out taken away."""

import json
import lzma
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from training.rows import RankRow, ReadRow, SupportRow
from training.sources import LEFT_OUT, NAMES, is_made_by_rule, origin

PARTS = ("permissive", "share-alike")
HELD_OUT_ARTICLES = (5, 16, 25)
"""Of the SQuAD 2.0 articles in the order they come; beside them SQuAD's own seven are not in the pieces at all."""
EVALUATION_READING = "squadshifts_new_wiki"
EVALUATION_SHARE = 8
"""One passage in so many of that set is read to choose between ways of training."""


@dataclass(frozen=True)
class Pieces:
    """What people wrote, and the reading rows kept back to evaluate with."""

    support: list[SupportRow]
    rank: list[RankRow]
    read: list[ReadRow]
    held_out: list[ReadRow]
    elsewhere: list[ReadRow]
    """Reading rows of passages that no row is trained on, to choose with: `held_out` is for the report alone."""


def load(data: Path, rows_each: int | None = None) -> Pieces:
    """The pieces under `data`/train, with only `rows_each` rows of every set where that is given."""
    held_out, elsewhere, reading = _kept_back(data)
    hidden = _Hidden([row.context for row in (*held_out, *elsewhere)])
    pieces = Pieces(
        support=[
            row
            for row in map(_support, _rows(data, "support"))
            if _may_ship(row.source) and not is_made_by_rule(row.source) and not hidden.holds(row.evidence)
        ],
        rank=[
            row for row in map(_rank, _rows(data, "rank")) if _may_ship(row.source) and not hidden.holds(row.positive)
        ],
        read=[row for row in _once(reading) if _may_ship(row.source) and not hidden.holds(row.context)],
        held_out=held_out,
        elsewhere=elsewhere,
    )
    return pieces if rows_each is None else _fewer(pieces, rows_each)


def kept_back_ranking(data: Path) -> list[RankRow]:
    """Ranking rows whose passage answers nothing that is trained on: for fitting what uses the encoder."""
    held_out, elsewhere, _ = _kept_back(data)
    hidden = _Hidden([row.context for row in (*held_out, *elsewhere)])
    return [row for row in map(_rank, _rows(data, "rank")) if _may_ship(row.source) and hidden.holds(row.positive)]


def _kept_back(data: Path) -> tuple[list[ReadRow], list[ReadRow], list[ReadRow]]:
    """Reading rows held out for the report, those to choose with, and the rest with the latter still among them."""
    held_out, reading = _hold_out([_reading(row) for row in _rows(data, "read")])
    elsewhere = _every(EVALUATION_SHARE, [row for row in reading if origin(row.source) == EVALUATION_READING])
    return held_out, elsewhere, reading


def _every(share: int, rows: Sequence[ReadRow]) -> list[ReadRow]:
    """The rows of every so manieth passage."""
    chosen = set(list(dict.fromkeys(row.context for row in rows))[::share])
    return [row for row in rows if row.context in chosen]


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
    label = "unsupported" if row["label"] == "neutral" else row["label"]
    return SupportRow(row["claim"], row["evidence"], label, row["source"])


def _rank(row: dict[str, Any]) -> RankRow:
    return RankRow(row["query"], row["positive"], tuple(row["negatives"]), row["source"])


def _reading(row: dict[str, Any]) -> ReadRow:
    start = row["start"] if row["answer"] else -1
    return ReadRow(row["question"], row["context"], start, row["answer"], row["source"])


def _hold_out(rows: Sequence[ReadRow]) -> tuple[list[ReadRow], list[ReadRow]]:
    """SQuAD 2.0 comes article by article, each followed by its questions of other paragraphs."""
    articles: list[list[ReadRow]] = []
    for source, block in groupby((row for row in rows if origin(row.source) == "squad2"), lambda row: row.source):
        if source == "squad2" or not articles:
            articles.append([])
        articles[-1].extend(block)
    chosen = [articles[number] for number in HELD_OUT_ARTICLES if number < len(articles)]
    held_out = [row for article in chosen for row in article]
    contexts = {row.context for row in held_out}
    return held_out, [row for row in rows if row.context not in contexts]


def _once(rows: Sequence[ReadRow]) -> list[ReadRow]:
    """Each question of a passage once: the SQuAD sets share many."""
    return list({(row.question, row.context): row for row in rows}.values())


class _Hidden:
    """Whether a text is, or is cut from, one of the passages that are kept back."""

    def __init__(self, passages: Sequence[str]) -> None:
        self._starts = {start for passage in passages for start in _starts(passage)}

    def holds(self, text: str) -> bool:
        return not self._starts.isdisjoint(_starts(text))


def _starts(text: str) -> Iterator[str]:
    """The opening of every sentence, roughly: enough letters to belong to one passage alone."""
    for sentence in text.split(". "):
        if len(sentence) >= 40:
            yield sentence[:40]


def _fewer(pieces: Pieces, most: int) -> Pieces:
    def some(rows: list[Any]) -> list[Any]:
        ordered = sorted(rows, key=lambda row: row.source)
        return [row for _, block in groupby(ordered, lambda row: row.source) for row in list(block)[:most]]

    return Pieces(
        some(pieces.support), some(pieces.rank), some(pieces.read), some(pieces.held_out), some(pieces.elsewhere)
    )
