"""MTRAG-UN: turns of conversations that should be answered, refused or asked back about, and which of it is done."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, get_args

from docmind.bench.answering import READING
from docmind.bench.metrics import class_f1
from docmind.bench.report import Row
from docmind.bench.workbench import Workbench, open_engine
from docmind.domain.answers import Status
from docmind.domain.errors import BenchError
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

Decision = Literal["answer", "refuse", "clarify"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)
WANTED: dict[str, Decision] = {
    "ANSWERABLE": "answer",
    # What the passages do not say is left out of such an answer, but they do say something.
    "PARTIAL": "answer",
    "UNANSWERABLE": "refuse",
    "UNDERSPECIFIED": "clarify",
}
DECIDED: dict[Status, Decision] = {
    Status.ANSWERED: "answer",
    Status.CAVEAT: "answer",
    Status.REFUSED: "refuse",
    Status.NEEDS_CLARIFICATION: "clarify",
}
LIKELY = 0.5
"""How relevant the best passage must be for `relevance` to answer."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The last question of a conversation, and what should be done about it."""

    question: str
    scope: Scope
    """Where the passages of all conversations on the same collection are."""
    wanted: Decision


Decide = Callable[[Turn], Decision]


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    tasks = _read(bench.dataset("mtrag-un") / "tasks.jsonl")
    turns = [_turn(task) for task in tasks]
    store = bench.once(f"mtrag-un by {embedder}", lambda: _ingest(bench, tasks, embedder))
    decided: dict[str, list[Decision]] = {"always-answer": ["answer"] * len(turns)}
    with open_engine(store, embedder) as engine:
        decided["relevance"] = _decide(bench, "relevance", _by_relevance(engine), turns)
        decided["docmind"] = _decide(bench, "docmind", _by_docmind(engine), turns)
    with open_engine(store, embedder, reading=True) as engine:
        decided[READING] = _decide(bench, READING, _by_docmind(engine), turns)
    return [row for system, decisions in decided.items() for row in _rows(system, decisions, turns)]


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _turn(task: dict[str, Any]) -> Turn:
    [label] = task["answerability"]
    if label not in WANTED:
        raise BenchError(f"mtrag-un has a turn labelled {label!r}: only {', '.join(WANTED)} are known.")
    return Turn(task["input"][-1]["text"].strip(), _scope(task), WANTED[label])


def _scope(task: dict[str, Any]) -> Scope:
    return Scope(task["Collection"])


def _ingest(bench: Workbench, tasks: Sequence[dict[str, Any]], embedder: str) -> Path:
    """The passages of all turns, those of a collection together: a turn that has none of its own gets no hint by it."""
    data_dir = bench.scratch / f"mtrag-un-{embedder}"
    pages: dict[Scope, dict[str, str]] = {}
    for task in tasks:
        for context in task["contexts"]:
            title = f"# {context['title']}\n\n" if context.get("title") else ""
            pages.setdefault(_scope(task), {})[context["document_id"]] = f"{title}{context['text']}\n"
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
        (folder / f"{number}.md").write_text(page, encoding="utf-8")
    return folder


def _decide(bench: Workbench, system: str, decide: Decide, turns: Sequence[Turn]) -> list[Decision]:
    decided = []
    with bench.steps(f"mtrag-un: {system}", len(turns)) as done:
        for number, turn in enumerate(turns, start=1):
            decided.append(decide(turn))
            done(number)
    return decided


def _by_relevance(engine: DocMind) -> Decide:
    """Answers where search believes in what it found."""

    def decide(turn: Turn) -> Decision:
        hits = engine.search(turn.question, turn.scope, limit=1)
        return "answer" if hits and hits[0].relevance_score >= LIKELY else "refuse"

    return decide


def _by_docmind(engine: DocMind) -> Decide:
    """What the docs workflow does about the question alone: it knows nothing of what was said before."""
    return lambda turn: DECIDED[engine.run(turn.question, turn.scope).status]


def _rows(system: str, decisions: Sequence[Decision], turns: Sequence[Turn]) -> list[Row]:
    wanted = [turn.wanted for turn in turns]
    by_decision = {decision: class_f1(decisions, wanted, decision) for decision in DECISIONS}
    return [
        Row("mtrag-un", system, "macro_f1", fmean(by_decision.values()), len(turns)),
        *(Row("mtrag-un", system, f"f1@{name}", f1, wanted.count(name)) for name, f1 in by_decision.items()),
    ]
