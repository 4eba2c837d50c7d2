"""MTRAG-UN: last turns of conversations: answered, refused or asked back about, and what is found for them."""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar, get_args

from docmind.bench.conversations import Decision, Reply, Turn, reply_to
from docmind.bench.metrics import class_f1, ndcg, percentile
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import distinct, path_of
from docmind.bench.workbench import Workbench, open_engine
from docmind.domain.answers import Status
from docmind.domain.errors import BenchError
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

AIM_P50_MS = Aim(200, at_most=True)
DECISIONS: tuple[Decision, ...] = get_args(Decision)
WANTED: dict[str, Decision] = {
    "ANSWERABLE": "answer",
    # What the passages do not say is left out of such an answer, but they do say something.
    "PARTIAL": "answer",
    "UNANSWERABLE": "refuse",
    "UNDERSPECIFIED": "clarify",
}
LIKELY = 0.5
"""How relevant the best passage must be for `relevance` to answer."""
DEPTH = 5
"""Documents that are looked at for those that hold the answer."""
PASSAGES = 20
"""Passages asked for, of which several may be of one document."""

Outcome = TypeVar("Outcome")


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    tasks = _read(bench.dataset("mtrag-un") / "tasks.jsonl")
    pages = _pages(tasks)
    turns = [_turn(task, pages) for task in tasks]
    store = bench.once(f"mtrag-un by {embedder}", lambda: _ingest(bench, pages, embedder))
    decided: dict[str, Sequence[Decision]] = {"always-answer": ["answer"] * len(turns)}
    with open_engine(store, embedder) as engine:
        decided["relevance"] = _each(bench, "relevance", turns, lambda turn: _by_relevance(turn, engine))
        decided["docs, question alone"] = _each(bench, "docs", turns, lambda turn: _by_docs(turn, engine))
        replies = _each(bench, "docmind", turns, lambda turn: reply_to(turn, engine))
        decided["docmind"] = [reply.decision for reply in replies]
        found = _retrieval(turns, replies, engine)
    p50 = percentile([reply.milliseconds for reply in replies], 50)
    return [
        *(row for system, decisions in decided.items() for row in _rows(system, decisions, turns)),
        *found,
        Row("mtrag-un", "docmind", "p50_ms", p50, len(turns), aim=AIM_P50_MS),
    ]


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _pages(tasks: Sequence[dict[str, Any]]) -> dict[Scope, dict[str, str]]:
    """The passages of all turns by their ids, those of a collection together: a turn that has none gets no hint."""
    pages: dict[Scope, dict[str, str]] = {}
    for task in tasks:
        for context in task["contexts"]:
            title = f"# {context['title']}\n\n" if context.get("title") else ""
            pages.setdefault(_scope(task), {})[context["document_id"]] = f"{title}{context['text']}\n"
    return pages


def _turn(task: dict[str, Any], pages: dict[Scope, dict[str, str]]) -> Turn:
    [label] = task["answerability"]
    if label not in WANTED:
        raise BenchError(f"mtrag-un has a turn labelled {label!r}: only {', '.join(WANTED)} are known.")
    scope = _scope(task)
    files = {passage: _file(number) for number, passage in enumerate(pages.get(scope, ()))}
    *before, last = task["input"]
    return Turn(
        last["text"].strip(),
        tuple((said["speaker"], said["text"]) for said in before),
        scope,
        WANTED[label],
        frozenset(files[context["document_id"]] for context in task["contexts"]),
    )


def _scope(task: dict[str, Any]) -> Scope:
    return Scope(task["Collection"])


def _file(number: int) -> str:
    return f"{number}.md"


def _ingest(bench: Workbench, pages: dict[Scope, dict[str, str]], embedder: str) -> Path:
    data_dir = bench.scratch / f"mtrag-un-{embedder}"
    total = sum(map(len, pages.values()))
    with open_engine(data_dir, embedder) as engine, bench.steps("mtrag-un: ingest", total) as done:
        read = 0
        for scope, texts in pages.items():
            folder = _write(bench.scratch / "mtrag-un" / scope.workspace, texts.values())
            read += engine.ingest([folder], scope).files
            done(read)
    return data_dir


def _write(folder: Path, pages: Iterable[str]) -> Path:
    folder.mkdir(parents=True)
    for number, page in enumerate(pages):
        (folder / _file(number)).write_text(page, encoding="utf-8")
    return folder


def _each(bench: Workbench, system: str, turns: Sequence[Turn], of: Callable[[Turn], Outcome]) -> list[Outcome]:
    outcomes = []
    with bench.steps(f"mtrag-un: {system}", len(turns)) as done:
        for number, turn in enumerate(turns, start=1):
            outcomes.append(of(turn))
            done(number)
    return outcomes


def _by_relevance(turn: Turn, engine: DocMind) -> Decision:
    """Answers where search believes in what it found."""
    hits = engine.search(turn.question, turn.scope, limit=1)
    return "answer" if hits and hits[0].relevance_score >= LIKELY else "refuse"


def _by_docs(turn: Turn, engine: DocMind) -> Decision:
    """What the docs workflow does about the question alone: it knows nothing of what was said before."""
    return "refuse" if engine.run(turn.question, turn.scope).status is Status.REFUSED else "answer"


def _retrieval(turns: Sequence[Turn], replies: Sequence[Reply], engine: DocMind) -> list[Row]:
    """What is found for the question as it was understood, beside what is found for the last turn as it was typed."""
    labelled = [(turn, reply) for turn, reply in zip(turns, replies, strict=True) if turn.relevant]

    def gain(turn: Turn, query: str) -> float:
        hits = engine.search(query, turn.scope, limit=PASSAGES)
        return ndcg(distinct(path_of(hit.document) for hit in hits), turn.relevant, DEPTH)

    queries = {
        "docmind": [(turn, reply.understood) for turn, reply in labelled],
        "last turn": [(turn, turn.question) for turn, _ in labelled],
    }
    return [
        Row("mtrag-un", system, f"ndcg@{DEPTH}", fmean(gain(*query) for query in asked), len(asked))
        for system, asked in queries.items()
        if asked
    ]


def _rows(system: str, decisions: Sequence[Decision], turns: Sequence[Turn]) -> list[Row]:
    wanted = [turn.wanted for turn in turns]
    by_decision = {decision: class_f1(decisions, wanted, decision) for decision in DECISIONS}
    return [
        Row("mtrag-un", system, "macro_f1", fmean(by_decision.values()), len(turns)),
        *(Row("mtrag-un", system, f"f1@{name}", f1, wanted.count(name)) for name, f1 in by_decision.items()),
    ]
