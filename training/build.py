"""Puts the training set together: what people wrote, and what is made from it by rule."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from training import rows
from training.claims import ClaimMaker, among_others, changed_claims, is_claim, seeded, sentences_of
from training.data import Pieces, load, wikipedia
from training.mine import Bm25
from training.overlap import Benchmarks, texts_of
from training.perturb import Chance
from training.plan import Plan
from training.rows import RankRow, ReadRow, SupportRow
from training.sources import origin
from training.wikitable import read_tables, table_questions

MOST_ROWS = {"snli": 60_000}
"""Of sets whose sentences are unlike documents', so that they do not drown the others."""
MOST_PASSAGES = 5_000
NEGATIVES = 6
_POOLS = {
    "pubmedqa": ("pubmedqa", "pubmedqa846"), "medquad": ("medquad",), "awsdocs": ("awsdocs",),
    "covidqa": ("covidqa",), "qasper": ("qasper",), "squad": ("squad1", "squad2", "xquad"),
    "squadshifts_new_wiki": ("squadshifts_new_wiki",),
}  # fmt: skip
_CLAIMS_TO_RANK = ("scitail", "qasc", "fm2", "feversym", "newproto")


def build(data: Path, target: Path, plan: Plan) -> dict[str, dict[str, int]]:
    """Write the set to `target`; how many rows each source gave, and how many were dropped for a benchmark's sake."""
    benchmarks = Benchmarks(data)
    pieces, dropped = benchmarks.without(load(data, plan.rows_each))
    pools = _pools(pieces) | {"wikipedia": wikipedia(data)}
    pools = {name: [text for text in pool if not benchmarks.share(text)] for name, pool in pools.items()}
    most = min(MOST_PASSAGES, plan.rows_each or MOST_PASSAGES)
    pools = {name: _some(pool, most, seeded(plan.build_seed, "pool", name)) for name, pool in pools.items()}
    made: dict[str, list[Any]] = {
        "support": list(_support(pieces, pools, plan.build_seed)),
        "rank": list(_rank(pieces, pools, plan.build_seed)),
        "read": [
            *_read(pieces, plan.build_seed),
            *islice(table_questions(data, read_tables(data), plan.build_seed), plan.rows_each),
        ],
    }
    # Joining sentences can make a run that no piece held.
    for name in ("support", "rank", "read"):
        kept = [row for row in made[name] if not benchmarks.share(*texts_of(row))]
        dropped[name] += len(made[name]) - len(kept)
        made[name] = kept
    target.mkdir(parents=True, exist_ok=True)
    for name, some in made.items():
        rows.write(some, target / f"{name}.jsonl.xz")
    counts = {name: dict(sorted(Counter(row.source for row in some).items())) for name, some in made.items()}
    return counts | {"dropped for overlap": dropped}


def _pools(pieces: Pieces) -> dict[str, list[str]]:
    """The passages of each kind of document."""
    pools: dict[str, list[str]] = {}
    for name, sources in _POOLS.items():
        texts = [text for row in pieces.rank if row.source in sources for text in (row.positive, *row.negatives)]
        pools[name] = [text for text in dict.fromkeys(texts) if len(text) > 250]
    return pools


def _support(pieces: Pieces, pools: dict[str, list[str]], seed: int) -> Iterator[SupportRow]:
    written = [row for row in pieces.support if not (row.source == "qasc" and row.label != "supported")]
    by_source: dict[str, list[SupportRow]] = {}
    for row in written:
        by_source.setdefault(row.source, []).append(row)
    for source, some in by_source.items():
        chance = seeded(seed, "support", source)
        kept = _some(some, MOST_ROWS.get(source, len(some)), chance)
        share = 0.0 if source in ("snli", "qaclaim") else 0.35
        yield from among_others([*kept, *changed_claims(kept, share, chance)], share, chance)
    for source, pool in pools.items():
        yield from ClaimMaker(pool, source, seeded(seed, "claims", source)).rows()


def _rank(pieces: Pieces, pools: dict[str, list[str]], seed: int) -> Iterator[RankRow]:
    yield from (row for row in pieces.rank if len(row.negatives) >= NEGATIVES)
    for source, pool in pools.items():
        yield from _sentence_to_passage(source, pool, seeded(seed, "rank", source))
    for source in _CLAIMS_TO_RANK:
        pairs = [
            (row.claim, row.evidence) for row in pieces.support if (row.source, row.label) == (source, "supported")
        ]
        yield from _mined(source, _some(pairs, 2_500, seeded(seed, "pairs", source)), seeded(seed, "mined", source))


def _sentence_to_passage(source: str, pool: Sequence[str], chance: Chance) -> Iterator[RankRow]:
    """A sentence looks for the passage it was taken from: claims find abstracts so."""
    pairs = []
    for passage in pool:
        sentences = sentences_of(passage)
        usable = [place for place, sentence in enumerate(sentences) if is_claim(sentence)]
        if len(sentences) < 3 or not usable:
            continue
        place = int(chance.choice(usable))
        rest = " ".join(sentence for other, sentence in enumerate(sentences) if other != place)
        pairs.append((_thinned(sentences[place], chance), rest))
    yield from islice(_mined(source, pairs, chance), 2_500)


def _thinned(sentence: str, chance: Chance) -> str:
    """Some words fewer: nobody asks in the words of the page."""
    words = sentence.rstrip(".").split()
    kept = [word for word in words if chance.random() > 0.15]
    most = int(chance.integers(6, 20))
    start = int(chance.integers(0, max(1, len(kept) - most)))
    return " ".join(kept[start : start + most])


def _mined(source: str, pairs: Sequence[tuple[str, str]], chance: Chance) -> Iterator[RankRow]:
    """Negatives are the passages next in line by BM25, less the first few: those may answer too."""
    passages = list(dict.fromkeys(passage for _, passage in pairs))
    if len(passages) <= NEGATIVES + 2:
        return
    found = Bm25(passages)
    place_of = {passage: place for place, passage in enumerate(passages)}
    for query, passage in pairs:
        order = [int(place) for place in np.argsort(-found.scores(query))[:40] if place != place_of[passage]]
        near = chance.choice(order[1:], min(NEGATIVES - 1, len(order) - 1), replace=False)
        far = chance.integers(0, len(passages), NEGATIVES)
        chosen = [passages[int(place)] for place in (*near, *far) if place != place_of[passage]][:NEGATIVES]
        if len(chosen) == NEGATIVES:
            yield RankRow(query, passage, tuple(chosen), f"mined:{source}")


def _read(pieces: Pieces, seed: int) -> Iterator[ReadRow]:
    yield from pieces.read
    # A question asked of a passage like the right one has no answer there, most of the time.
    asked = ("squad1", "squad2", "xquad", "awsdocs", "squadshifts_new_wiki")
    ranked = [row for row in pieces.rank if origin(row.source) in asked]
    for row in _some(ranked, 2_000, seeded(seed, "unanswered")):
        yield ReadRow(row.query, row.negatives[1], -1, "", "unanswered_na")


def _some(rows_: Sequence[Any], most: int, chance: Chance) -> list[Any]:
    return [rows_[int(place)] for place in np.sort(chance.permutation(len(rows_))[:most])]
