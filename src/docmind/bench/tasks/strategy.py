"""Strategy: each path of the workflow over the bundled papers, with no chat model and with a scripted one."""

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from docmind.bench.board_questions import ASKS, CASES, HALF_TOLD, NOT_TOLD, Case
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.scripted_analyst import Analyst, content_judge
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import RunResult, Status
from docmind.domain.errors import BenchError
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind

PAPERS = Path(__file__).parents[4] / "examples" / "strategy"
AIM_HAPPY_MS = Aim(300, at_most=True)
AIM_RIGHT = Aim(1.0)
AIM_CALLS = {"scripted": Aim(1, at_most=True), "scripted+judge": Aim(3, at_most=True)}
"""Of the happy path: one call where code judges, and with a judging model those of draft, critique and scores."""


@dataclass(frozen=True, slots=True)
class PathTaken:
    """The questions that take one path through the graph."""

    name: str
    cases: Sequence[Case]
    retried: bool = False


@dataclass(frozen=True, slots=True)
class CaseResult:
    milliseconds: float
    model_calls: int
    right: bool


@dataclass(frozen=True, slots=True)
class System:
    name: str
    engine: DocMind
    analyst: Analyst | None = None
    """The scripted writer, where there is one."""

    def ask(self, path: PathTaken, case: Case) -> CaseResult:
        if self.analyst is not None:
            self.analyst.figures = case.figures
            self.analyst.invents_first = path.name == "retry"
            self.analyst.invents_always = path.name == "hand_over"
        begun = time.perf_counter()
        result = self.engine.run(case.question, SCOPE, workflow="strategy")
        return CaseResult((time.perf_counter() - begun) * 1000, result.usage.model_calls, _right(result, case, path))


def run(
    bench: Workbench,
    *,
    papers: Path = PAPERS,
    cases: Sequence[Case] = (*CASES, *HALF_TOLD, *NOT_TOLD),
    embedder: str = "minilm",
    rounds: int = 3,
) -> list[Row]:
    paths = {"docmind": embedded_paths(cases), **dict.fromkeys(AIM_CALLS, written_paths(cases))}
    total = rounds * sum(len(path.cases) for taken in paths.values() for path in taken)
    asked: dict[tuple[str, str], list[CaseResult]] = {}
    with ExitStack() as engines, bench.steps("strategy: questions", total) as done:
        systems = list(_systems(_ingested(bench, papers, embedder), embedder, engines))
        for system in systems:
            system.ask(paths[system.name][0], paths[system.name][0].cases[0])
        for _ in range(rounds):
            for system in systems:
                for path in paths[system.name]:
                    measured = [system.ask(path, case) for case in path.cases]
                    asked.setdefault((system.name, path.name), []).extend(measured)
                    done(sum(map(len, asked.values())))
    return [row for (system, path), measured in asked.items() for row in _rows(system, path, measured)]


def embedded_paths(cases: Sequence[Case]) -> list[PathTaken]:
    """Without a model, the question alone decides which path is taken."""
    return [
        PathTaken("happy", [case for case in cases if case.status is Status.ANSWERED]),
        PathTaken("retry", [case for case in cases if case.kind == "half told"], retried=True),
        PathTaken("hand_over", [case for case in cases if case.kind == "not told"], retried=True),
        *_paths_of_the_papers(cases),
    ]


def written_paths(cases: Sequence[Case]) -> list[PathTaken]:
    """With a model, what it writes to one and the same question decides."""
    answered = [case for case in cases if case.status is Status.ANSWERED]
    return [
        PathTaken("happy", answered),
        PathTaken("retry", answered, retried=True),
        PathTaken("hand_over", [Case(case.kind, case.question, ASKS) for case in answered], retried=True),
        *_paths_of_the_papers(cases),
    ]


def _paths_of_the_papers(cases: Sequence[Case]) -> list[PathTaken]:
    """Taken because of what the papers hold, whoever writes."""
    return [
        PathTaken("zero_evidence", [case for case in cases if case.kind in ("vague", "out of scope")]),
        PathTaken("conflict", [case for case in cases if case.kind == "conflict"], retried=True),
    ]


def _ingested(bench: Workbench, papers: Path, embedder: str) -> Path:
    if not papers.is_dir():
        raise BenchError("The bundled papers are not there: this benchmark runs from a checkout of the project.")
    data_dir = bench.scratch / f"strategy-{embedder}"
    with open_engine(data_dir, embedder) as engine:
        engine.ingest([papers], SCOPE)
    return data_dir


def _systems(store: Path, embedder: str, engines: ExitStack) -> Iterator[System]:
    """Each with a copy of the store, so that they can take turns."""
    for name in ("docmind", *AIM_CALLS):
        copy = Path(shutil.copytree(store, store.with_name(f"{store.name}-{name}")))
        analyst = Analyst() if name != "docmind" else None
        roles = Roles(
            writer=ScriptedChat(analyst, name="writer") if analyst else None,
            judge=ScriptedChat(content_judge, name="judge") if name == "scripted+judge" else None,
        )
        yield System(name, engines.enter_context(open_engine(copy, embedder, roles=roles)), analyst)


def _right(result: RunResult, case: Case, path: PathTaken) -> bool:
    """Whether the status is as it should be, the documents are cited, the figures told, and the path was this one."""
    retried = any(event.decision == "retry" for event in result.trace)
    return (
        (result.status, retried) == (case.status, path.retried)
        and {citation.title for citation in result.citations}.issuperset(case.documents)
        and all(figure in result.answer for figure in case.figures)
    )


def _rows(system: str, path: str, asked: Sequence[CaseResult]) -> list[Row]:
    happy = path == "happy"
    calls = max(one.model_calls for one in asked)
    return [
        Row(
            "strategy",
            system,
            f"p50_ms@{path}",
            percentile([one.milliseconds for one in asked], 50),
            len(asked),
            aim=AIM_HAPPY_MS if happy and system == "docmind" else None,
        ),
        Row("strategy", system, f"model_calls@{path}", calls, len(asked), aim=AIM_CALLS.get(system) if happy else None),
        Row("strategy", system, f"right@{path}", fmean(one.right for one in asked), len(asked), aim=AIM_RIGHT),
    ]
