"""SEC-10-Q: whether questions on quarterly reports cite the right reports and tell the right figures, end to end."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from rich.markup import escape

from docmind.bench.finance.failing import Failing, rows_of
from docmind.bench.finance.sec10q_set import Reports, Sec10QQuestion, figures_in, sec10q, tells
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import ingested
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import Status
from docmind.runtime.engine import DocMind

TASK = "sec-10q"
AIM_P50_MS = Aim(800, at_most=True)
COMPANIES = 3
"""Of the five in the set, by their tickers: reading the reports takes most of the time."""
SYSTEMS = {"docmind": "finance", "search+quote": "docs"}
"""The finance workflow, and beside it the plain way: search, and quote what answers."""
WARM_UP = "What has to be loaded first?"
SHOWN_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Answered:
    asked: Sec10QQuestion
    answer: str
    status: Status
    cited: frozenset[str]
    milliseconds: float

    @property
    def recall(self) -> float:
        """Share of the reports that answer it that are cited."""
        return len(self.cited & self.asked.reports) / len(self.asked.reports)

    @property
    def told(self) -> float:
        """Share of the figures wanted that are told."""
        said = figures_in(self.answer)
        return fmean(any(tells(one, wanted) for one in said) for wanted in self.asked.figures)

    @property
    def failing(self) -> Failing | None:
        """How it fails: certain is what tells figures without a doubt, none of which is wanted."""
        if self.told == 1:
            return None
        if self.status is Status.REFUSED:
            return Failing.NO_FIGURE
        if self.told:
            return Failing.PARTLY
        if not figures_in(self.answer):
            return Failing.IN_WORDS
        return Failing.CERTAIN if self.status is Status.ANSWERED else Failing.DOUBTED


def run(bench: Workbench, *, companies: int = COMPANIES, embedder: str = "minilm") -> list[Row]:
    reports = sec10q(bench, companies)
    store = ingested(bench, reports.labelled, embedder)
    rows: list[Row] = []
    for name, workflow in SYSTEMS.items():
        answered = _ask(bench, name, workflow, store, embedder, reports)
        rows += _scores(name, answered)
        if name == "docmind":
            _tell_failures(bench, answered)
            with_figures = [one for one in answered if one.asked.figures]
            rows += rows_of(TASK, name, [one.failing for one in with_figures if one.failing], len(with_figures))
    return rows


def _ask(bench: Workbench, name: str, workflow: str, store: Path, embedder: str, reports: Reports) -> list[Answered]:
    with (
        open_engine(store, embedder) as engine,
        bench.steps(f"sec-10q: {name}", len(reports.questions)) as done,
    ):
        names = {document.id: Path(document.name).stem for document in engine.documents(SCOPE)}
        engine.run(WARM_UP, SCOPE, workflow=workflow)
        answered = []
        for number, asked in enumerate(reports.questions, 1):
            answered.append(_answered(engine, asked, workflow, names))
            done(number)
        return answered


def _answered(engine: DocMind, asked: Sec10QQuestion, workflow: str, names: dict[str, str]) -> Answered:
    begun = time.perf_counter()
    result = engine.run(asked.text, SCOPE, workflow=workflow)
    milliseconds = (time.perf_counter() - begun) * 1000
    cited = frozenset(names[citation.document] for citation in result.citations)
    answer = "" if result.status is Status.REFUSED else result.answer
    return Answered(asked, answer, result.status, cited, milliseconds)


def _scores(system: str, answered: Sequence[Answered]) -> list[Row]:
    n = len(answered)
    with_figures = [one for one in answered if one.asked.figures]
    single = [one for one in with_figures if one.asked.is_on_one_figure]
    times = [one.milliseconds for one in answered]
    given = sum(one.status is not Status.REFUSED for one in answered)
    wrong = sum(one.failing is Failing.CERTAIN for one in with_figures)
    return [
        Row(TASK, system, "source_recall", fmean(one.recall for one in answered), n),
        Row(TASK, system, "numeric_match", fmean(one.told for one in with_figures), len(with_figures)),
        Row(TASK, system, "numeric_match@one_passage", fmean(one.told for one in single), len(single)),
        Row(TASK, system, "answered_share", given / n, n),
        Row(TASK, system, "wrong_and_certain", wrong / len(with_figures), len(with_figures)),
        Row(TASK, system, "p50_ms", percentile(times, 50), n, aim=AIM_P50_MS if system == "docmind" else None),
        Row(TASK, system, "p95_ms", percentile(times, 95), n),
    ]


def _tell_failures(bench: Workbench, answered: Sequence[Answered]) -> None:
    failed = [one for one in answered if one.asked.figures and not one.told]
    bench.note(f"sec-10q: questions with none of the figures wanted: {len(failed)}")
    for one in failed[:SHOWN_FAILURES]:
        bench.note(escape(f"  {one.asked.text[:150]} ({one.status}) {one.answer[:100]}"))
