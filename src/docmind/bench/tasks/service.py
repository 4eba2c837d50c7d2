"""Service: many people ask and search one process at once; how long they wait, and if anybody gets another's answer."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count
from pathlib import Path

from docmind.bench.board_questions import CASES
from docmind.bench.metrics import percentile
from docmind.bench.process_memory import cpu_seconds, held_mb, started
from docmind.bench.report import Aim, Row
from docmind.bench.served import Client, client, served
from docmind.bench.tasks.strategy import PAPERS
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import Status
from docmind.domain.errors import BenchError
from docmind.domain.scope import Scope

NONE = Aim(0, at_most=True)
AIM_IDLE_MB = Aim(250, at_most=True)
AIM_P95_MS = Aim(2_500, at_most=True)
AIM_ANSWERS, AIM_SEARCHES = Aim(20), Aim(40)
"""A second."""
ALONE_S = 10.0

_OWN_QUESTION = "What is the access code of the depot?"

AskWorkspace = Callable[[Client, str, str], str]
"""Puts a question to a workspace: the text of what comes back."""


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
    with served(data_dir, embedder) as address:
        memory = held_mb(started())
        rows = [Row("service", "docmind, nothing asked yet", "held_mb", memory, 1, aim=AIM_IDLE_MB)] if memory else []
        rows += _load(bench, address, people, "docmind", _answer, seconds, AIM_ANSWERS)
        rows += _load(bench, address, people, "docmind, searches", _found, seconds, AIM_SEARCHES)
        memory = held_mb(started())
    return [*rows, Row("service", "docmind, all asked", "held_mb", memory, 1)] if memory else rows


def _answer(person: Client, question: str, workspace: str) -> str:
    return str(person.ask(question, workspace)["answer"])


def _found(person: Client, question: str, workspace: str) -> str:
    return "\n".join(hit["text"] for hit in person.search(question, workspace))


def _load(
    bench: Workbench, address: str, people: Sequence[Asker], system: str, told: AskWorkspace, seconds: float, rate: Aim
) -> list[Row]:
    """One person after the other question by question, then all of them at once."""
    questions = [case.question for case in CASES if case.status is Status.ANSWERED]
    with client(address) as first:
        right = {question: told(first, question, SCOPE.workspace) for question in questions}
    alone = _asked(address, people[0], told, right, min(ALONE_S, seconds))
    together, before = Tally(), cpu_seconds(started())
    title = f"service: {len(people)} people for {seconds:g} s, {system}"
    with bench.steps(title, len(people)) as done, ThreadPoolExecutor(len(people)) as threads:
        tallies = threads.map(lambda person: _asked(address, person, told, right, seconds), people)
        for finished, tally in enumerate(tallies, start=1):
            together.add(tally)
            done(finished)
    taken = cpu_seconds(started()) - before
    return _rows(system, alone, together, len(people), seconds, taken, rate)


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


def _asked(address: str, person: Asker, told: AskWorkspace, right: dict[str, str], seconds: float) -> Tally:
    """One person's questions, one after the other: of the papers and of their own note in turn."""
    tally, until = Tally(), time.monotonic() + seconds
    papers, turns = list(right), count(person.number)
    while time.monotonic() < until:
        shared, turn = divmod(next(turns), 2)
        begun = time.perf_counter()
        try:
            with client(address) as connection:
                fits = _fits(connection, person, told, right, papers[shared % len(papers)] if turn else None)
        except (BenchError, OSError, HTTPException):
            tally.errors += 1
        else:
            tally.milliseconds.append((time.perf_counter() - begun) * 1000)
            tally.mixed_up += not fits
    return tally


def _fits(connection: Client, person: Asker, told: AskWorkspace, right: dict[str, str], question: str | None) -> bool:
    """Whether what comes back is what this person should get: to a question of the papers, or to their own."""
    if question is None:
        return person.code in told(connection, _OWN_QUESTION, person.workspace)
    return told(connection, question, SCOPE.workspace) == right[question]


def _rows(
    system: str, alone: Tally, together: Tally, askers: int, seconds: float, taken: float, rate: Aim
) -> list[Row]:
    """`taken` are the seconds of the processor that the service took while all asked: those of whoever asks, which
    share the machine, are not among them."""
    one, many = percentile(alone.milliseconds, 50), together.milliseconds
    crowd, asked = f"{system}@{askers} askers", len(many) + together.errors
    references = {"one asker, p50": one}
    rows = [
        Row("service", f"{system}@1 asker", "p50_ms", one, len(alone.milliseconds)),
        Row("service", crowd, "p50_ms", percentile(many, 50), len(many), references),
        Row("service", crowd, "p95_ms", percentile(many, 95), len(many), references, AIM_P95_MS),
        Row("service", crowd, "per_second", len(many) / seconds, len(many), aim=rate),
        Row("service", crowd, "errors", together.errors, asked, aim=NONE),
        Row("service", crowd, "mixed_up", together.mixed_up, len(many), aim=NONE),
    ]
    return [*rows, Row("service", crowd, "cpu_ms", taken * 1000 / len(many), len(many))] if taken and many else rows
