"""Service: many people ask one process at once; how long they wait, and whether anybody gets another's answer."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from pathlib import Path

from docmind.bench.board_questions import CASES
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.served import Client, client, served
from docmind.bench.tasks.strategy import PAPERS
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import Status
from docmind.domain.errors import BenchError
from docmind.domain.scope import Scope

NONE = Aim(0, at_most=True)
ALONE_S = 10.0

_OWN_QUESTION = "What is the access code of the depot?"


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody with a workspace of their own besides the papers that all share."""

    number: int

    @property
    def workspace(self) -> str:
        return f"depot-{self.number}"

    @property
    def code(self) -> str:
        return f"K{7_000 + 13 * self.number}"

    @property
    def note(self) -> str:
        return f"# Depot {self.number}\n\nThe access code of the depot is {self.code}. The depot opens at seven.\n"


@dataclass(slots=True)
class Tally:
    """What one or more people saw."""

    milliseconds: list[float] = field(default_factory=list)
    errors: int = 0
    mixed_up: int = 0

    def add(self, other: "Tally") -> None:
        self.milliseconds += other.milliseconds
        self.errors += other.errors
        self.mixed_up += other.mixed_up


def run(
    bench: Workbench, *, papers: Path = PAPERS, askers: int = 50, seconds: float = 60.0, embedder: str = "minilm"
) -> list[Row]:
    people = [Asker(number) for number in range(askers)]
    data_dir = _ingested(bench, papers, people, embedder)
    questions = [case.question for case in CASES if case.status is Status.ANSWERED]
    with served(data_dir, embedder) as address:
        with client(address) as first:
            right = {question: first.ask(question, SCOPE.workspace)["answer"] for question in questions}
        alone = _asked(address, people[0], right, min(ALONE_S, seconds))
        together, title = Tally(), f"service: {askers} people for {seconds:g} s"
        with bench.steps(title, askers) as done, ThreadPoolExecutor(askers) as threads:
            tallies = threads.map(lambda person: _asked(address, person, right, seconds), people)
            for finished, tally in enumerate(tallies, start=1):
                together.add(tally)
                done(finished)
    return _rows(alone, together, askers, seconds)


def _ingested(bench: Workbench, papers: Path, people: Sequence[Asker], embedder: str) -> Path:
    if not papers.is_dir():
        raise BenchError("The bundled papers are not there: this benchmark runs from a checkout of the project.")
    data_dir, notes = bench.scratch / f"service-{embedder}", bench.scratch / "notes"
    notes.mkdir()
    with open_engine(data_dir, embedder) as engine:
        engine.ingest([papers], SCOPE)
        for person in people:
            note = notes / f"{person.workspace}.md"
            note.write_text(person.note, encoding="utf-8")
            engine.ingest([note], Scope(person.workspace))
    return data_dir


def _asked(address: str, person: Asker, right: dict[str, str], seconds: float) -> Tally:
    """One person's questions, one after the other: of the papers and of their own note in turn."""
    tally, until = Tally(), time.monotonic() + seconds
    papers, turns = list(right), count(person.number)
    while time.monotonic() < until:
        shared, turn = divmod(next(turns), 2)
        begun = time.perf_counter()
        try:
            with client(address) as connection:
                fits = _fits(connection, person, right, papers[shared % len(papers)] if turn else None)
        except (BenchError, OSError, HTTPException):
            tally.errors += 1
        else:
            tally.milliseconds.append((time.perf_counter() - begun) * 1000)
            tally.mixed_up += not fits
    return tally


def _fits(connection: Client, person: Asker, right: dict[str, str], question: str | None) -> bool:
    """Whether the answer is the one that this person should get: to a question of the papers, or to their own."""
    if question is None:
        return person.code in connection.ask(_OWN_QUESTION, person.workspace)["answer"]
    return bool(connection.ask(question, SCOPE.workspace)["answer"] == right[question])


def _rows(alone: Tally, together: Tally, askers: int, seconds: float) -> list[Row]:
    one, many = percentile(alone.milliseconds, 50), together.milliseconds
    crowd, asked = f"docmind@{askers} askers", len(many) + together.errors
    references = {"one asker, p50": one}
    return [
        Row("service", "docmind@1 asker", "p50_ms", one, len(alone.milliseconds)),
        Row("service", crowd, "p50_ms", percentile(many, 50), len(many), references),
        Row("service", crowd, "p95_ms", percentile(many, 95), len(many), references),
        Row("service", crowd, "per_second", len(many) / seconds, len(many)),
        Row("service", crowd, "errors", together.errors, asked, aim=NONE),
        Row("service", crowd, "mixed_up", together.mixed_up, len(many), aim=NONE),
    ]
