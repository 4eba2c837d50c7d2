"""Filings: analysts' questions on real annual and quarterly reports, all in one workspace, beside the top passage."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from docmind.bench.answering import WARM_UP
from docmind.bench.authored_answers import GIVEN
from docmind.bench.finance.failing import Failing, refused_because, rows_of
from docmind.bench.finance.filings_scoring import is_right, met
from docmind.bench.finance.filings_set import FilingQuestion, Half, Kind, Page, filings_in, halves_in, read_questions
from docmind.bench.finance.sec10q_set import figures_in
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import RunResult
from docmind.domain.trace import Event
from docmind.runtime.engine import DocMind

Made = TypeVar("Made")

TASK = "filings"
AIMS = {
    "right": Aim(0.45),
    "right@lookup": Aim(0.85),
    "wrong_stated@0.50": Aim(0.05, at_most=True),
    "evidence_cited": Aim(0.60),
    "p50_ms": Aim(800, at_most=True),
}
"""For the product on the half that is kept."""
SURE = 0.5
"""From here on an answer is stated as more likely right than not."""
CANDIDATES = 30
"""Passages among which the evidence is looked for: as many as the finance workflow looks at."""


@dataclass(frozen=True, slots=True)
class FilingAnswer:
    """A question and what a system made of it."""

    question: FilingQuestion
    answer: str
    answered: bool
    confidence: float
    cited: frozenset[Page]
    milliseconds: float = 0.0
    trace: Sequence[Event] = ()

    @property
    def right(self) -> bool:
        return self.answered and is_right(self.question, self.answer)

    @property
    def wrong_stated(self) -> bool:
        return self.answered and not self.right and self.confidence >= SURE

    @property
    def cites_evidence(self) -> bool:
        return not self.cited.isdisjoint(self.question.pages)

    @property
    def refusal(self) -> Event | None:
        """The first step that refused, or failing that the last one that says why it did not go on."""
        refused = [event for event in self.trace if event.decision == "refused"]
        return next(iter(refused or [event for event in reversed(self.trace) if event.reason]), None)

    @property
    def failing(self) -> Failing | None:
        if self.right:
            return None
        if not self.answered:
            return refused_because(self.refusal.reason if self.refusal else "")
        if any(met(self.question, self.answer)):
            return Failing.PARTLY
        if not figures_in(self.answer):
            return Failing.IN_WORDS
        return Failing.CERTAIN if self.confidence >= SURE else Failing.DOUBTED


@dataclass(frozen=True, slots=True)
class SearchBaseline:
    """What the search alone gives: the top passage as the answer, and whether the evidence is among the candidates."""

    top: FilingAnswer
    evidence: int | None
    """At which place the first passage from a page of the evidence stands, from 1."""


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    folder = bench.dataset(TASK)
    halves = {half: read_questions(folder, half) for half in halves_in(folder)}
    store = bench.scratch / f"{TASK}-{embedder}"
    ingest(bench, folder, store, embedder)
    rows: list[Row] = []
    for half, questions in halves.items():
        with open_engine(store, embedder) as engine:
            asked = ask(bench, engine, questions)
            found = search(bench, engine, questions)
        rows += rows_for(half, asked, found)
    return rows


def ingest(bench: Workbench, folder: Path, store: Path, embedder: str = "minilm") -> None:
    """Read all filings of the folder into one workspace; those that are there already are not read again."""
    filings = filings_in(folder)
    with open_engine(store, embedder) as engine, bench.steps(f"{TASK}: ingest", len(filings)) as done:
        engine.ingest(filings, SCOPE, lambda _name, report: done(report.files))


def ask(bench: Workbench, engine: DocMind, questions: Sequence[FilingQuestion]) -> list[FilingAnswer]:
    """What the finance workflow answers."""
    engine.run(WARM_UP, SCOPE, workflow="finance")
    return list(_each(bench, f"{TASK}: questions", questions, lambda question: _asked(engine, question)))


def search(bench: Workbench, engine: DocMind, questions: Sequence[FilingQuestion]) -> list[SearchBaseline]:
    """What the search alone finds."""
    return list(_each(bench, f"{TASK}: top-passage", questions, lambda question: _found(engine, question)))


def _each(
    bench: Workbench,
    title: str,
    questions: Sequence[FilingQuestion],
    make: Callable[[FilingQuestion], Made],
) -> Iterator[Made]:
    with bench.steps(title, len(questions)) as done:
        for number, question in enumerate(questions, start=1):
            yield make(question)
            done(number)


def _asked(engine: DocMind, question: FilingQuestion) -> FilingAnswer:
    begun = time.perf_counter()
    result = engine.run(question.text, SCOPE, workflow="finance")
    milliseconds = (time.perf_counter() - begun) * 1000
    cited = frozenset(Page(one.source, one.page) for one in result.citations if one.page is not None)
    answered = result.status in GIVEN
    return FilingAnswer(question, _told(result), answered, result.confidence, cited, milliseconds, result.trace)


def _told(result: RunResult) -> str:
    """The answer with the figures of its charts, which are told as much as those in words."""
    return "\n".join((result.answer, *(f"{number:,}" for chart in result.charts for number in _plotted(chart))))


def _plotted(chart: dict[str, Any]) -> Iterator[float]:
    for dataset in chart["config"]["data"]["datasets"]:
        yield from (number for number in dataset["data"] if number is not None)


def _found(engine: DocMind, question: FilingQuestion) -> SearchBaseline:
    hits = engine.search(question.text, SCOPE, limit=CANDIDATES)
    pages = [Page(hit.document.file_name, hit.passage.page or 0) for hit in hits]
    top = FilingAnswer(question, hits[0].passage.text, True, 1.0, frozenset(pages[:1]))
    places = (place for place, page in enumerate(pages, start=1) if page in question.pages)
    return SearchBaseline(top, next(places, None))


def rows_for(half: Half, asked: Sequence[FilingAnswer], found: Sequence[SearchBaseline]) -> list[Row]:
    """One half in numbers: the product, and the top passage beside it."""
    of = "" if half is Half.KEPT else f"@{half}"
    aims = AIMS if half is Half.KEPT else {}
    times = [one.milliseconds for one in asked]
    took = [("p50_ms", percentile(times, 50), len(times)), ("p95_ms", percentile(times, 95), len(times))]
    rows = [
        Row(TASK, f"docmind{of}", metric, value, n, aim=aims.get(metric))
        for metric, value, n in [*_shares(asked), *took]
    ]
    if half is Half.DESIGN:
        answerable = [one for one in asked if one.question.answerable]
        rows += rows_of(TASK, f"docmind{of}", [one.failing for one in answerable if one.failing], len(answerable))
    sought = [one for one in found if one.top.question.answerable]
    among = (f"hit@{CANDIDATES}", _share(one.evidence is not None for one in sought), len(sought))
    beside = [*_shares([one.top for one in found]), among]
    return [*rows, *(Row(TASK, f"top-passage{of}", metric, value, n) for metric, value, n in beside)]


def _shares(asked: Sequence[FilingAnswer]) -> list[tuple[str, float, int]]:
    """Each share by its name, and of how many questions it is one."""
    answerable = [one for one in asked if one.question.answerable]
    others = [one for one in asked if not one.question.answerable]
    given = [one for one in answerable if one.answered]
    kinds = [(kind, [one for one in answerable if one.question.kind is kind]) for kind in Kind]
    values: list[tuple[str, float, Sequence[FilingAnswer]]] = [
        ("right", _share(one.right for one in answerable), answerable),
        *((f"right@{kind}", _share(one.right for one in some), some) for kind, some in kinds if some),
        ("refused@answerable", _share(not one.answered for one in answerable), answerable),
        ("answered@unanswerable", _share(one.answered for one in others), others),
        (f"wrong_stated@{SURE:.2f}", _share(one.wrong_stated for one in asked), asked),
        ("evidence_cited", _share(one.cites_evidence for one in given), given),
    ]
    return [(metric, value, len(some)) for metric, value, some in values]


def _share(holds: Iterable[bool]) -> float:
    found = list(holds)
    return sum(found) / len(found) if found else 0.0
