"""Conflicts: questions on which two authored documents disagree, or only seem to, asked as the docs workflow asks."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docmind.bench.authored import ConflictPair, Part, read_authored
from docmind.bench.authored_answers import workspace
from docmind.bench.metrics import percentile, shared_words
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.search import Hit
from docmind.quality.conflicts import AnswerPair
from docmind.skills.disputes import Dispute, find_disputes
from docmind.skills.drafting import draft
from docmind.skills.judge import judge
from docmind.workflows.services import Services

AIMS = {"f1": Aim(0.75), "p50_ms": Aim(100, at_most=True)}
SAME_PLACE = 0.7
"""Of the words of the shorter of two texts, the share that the other must have for them to stand in one place."""

Claims = Sequence[Mapping[str, Any]]
Finder = Callable[[str, Sequence[Hit], Claims, Services], list[Dispute]]


@dataclass(frozen=True, slots=True)
class Compared:
    """A pair of documents, and what was reported when its question was asked."""

    pair: ConflictPair
    found: bool
    """Whether these two documents were said to disagree, at the evidence of the pair."""
    elsewhere: int
    """Conflicts that were reported and have nothing to do with that evidence."""
    milliseconds: float


def run(bench: Workbench, *, embedder: str = "minilm", part: Part = Part.KEPT) -> list[Row]:
    folders = read_authored(bench.dataset("authored"))
    pairs = [pair for folder in folders for pair in folder.conflicts if folder.part(pair.documents[0]) is part]
    store = workspace(bench, folders, part, embedder)
    finders: dict[str, Finder] = {"docmind": _as_shipped, "differing": _all_that_differ}
    found: dict[str, list[Compared]] = {name: [] for name in finders}
    with open_engine(store, embedder) as engine, bench.steps("conflicts", len(pairs)) as done:
        services = engine.services(SCOPE)
        for number, pair in enumerate(pairs, start=1):
            hits = engine.search(pair.question, SCOPE, limit=services.sections)
            claims = answered(pair.question, hits, services)
            for name, finder in finders.items():
                begun = time.perf_counter()
                disputes = finder(pair.question, hits, claims, services)
                found[name].append(_compared(pair, hits, disputes, (time.perf_counter() - begun) * 1000))
            done(number)
    return [row for system, some in found.items() for row in _rows(system, some)]


def answered(question: str, hits: Sequence[Hit], services: Services) -> Claims:
    """The claims of the answer, none where the question is refused."""
    drafted = asyncio.run(draft(question, hits, services.grounder, services.scorer))
    if drafted.refused:
        return []
    return judge(drafted.text, [hit.passage for hit in hits], services.grounder, asked=question).claims()


def _as_shipped(question: str, hits: Sequence[Hit], claims: Claims, services: Services) -> list[Dispute]:
    return find_disputes([question], hits, claims, services.scorer, services.conflicting)


def _all_that_differ(question: str, hits: Sequence[Hit], claims: Claims, services: Services) -> list[Dispute]:
    """Whatever two documents answer differently."""

    def differing(_question: str, pairs: Sequence[AnswerPair]) -> list[tuple[AnswerPair, float]]:
        return [(pair, 1.0) for pair in pairs]

    return find_disputes([question], hits, claims, services.scorer, differing)


def _compared(pair: ConflictPair, hits: Sequence[Hit], disputes: Sequence[Dispute], milliseconds: float) -> Compared:
    names = {hit.document.id: hit.document.name.rpartition(".")[0] for hit in hits}
    evidence = dict(zip(pair.documents, pair.evidence, strict=True))
    concerned = [
        [stands_at(side["claim"], evidence.get(names[side["document_id"]], ())) for side in one["sides"]]
        for one in disputes
    ]
    between = [{names[side["document_id"]] for side in one["sides"]} == set(pair.documents) for one in disputes]
    found = any(any(places) and both for places, both in zip(concerned, between, strict=True))
    return Compared(pair, found, sum(not any(places) for places in concerned), milliseconds)


def stands_at(said: str, evidence: Sequence[str]) -> bool:
    """Whether a text says what a quote of the evidence does, by their words: a table's row is written in two ways."""
    told = [shared_words(said, quote) for quote in evidence]
    return any(max(one.precision, one.recall) >= SAME_PLACE for one in told)


def _rows(system: str, compared: Sequence[Compared]) -> list[Row]:
    right = sum(one.found and one.pair.disagree for one in compared)
    said = sum(one.found for one in compared)
    true = sum(one.pair.disagree for one in compared)
    values: list[tuple[str, float, int]] = [
        ("precision", right / said if said else 0.0, said),
        ("recall", right / true if true else 0.0, true),
        ("f1", 2 * right / (said + true) if said + true else 0.0, len(compared)),
        ("elsewhere", sum(one.elsewhere for one in compared) / len(compared) if compared else 0.0, len(compared)),
    ]
    if system == "docmind":
        times = [one.milliseconds for one in compared]
        values += [("p50_ms", percentile(times, 50), len(times)), ("p95_ms", percentile(times, 95), len(times))]
    aims = AIMS if system == "docmind" else {}
    return [Row("conflicts", system, metric, value, n, aim=aims.get(metric)) for metric, value, n in values]
