"""Docs: aws-docs questions asked end to end with no chat model: pages cited, answers, refusals and time."""

import random
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from docmind.bench import labelled
from docmind.bench.answering import SYSTEMS, Reply, ask_all
from docmind.bench.labelled import LabelledSet, Question
from docmind.bench.metrics import percentile, shared_words
from docmind.bench.report import Aim, Row
from docmind.bench.retrieval import ingested
from docmind.bench.workbench import SCOPE, Workbench, open_engine

AIM_CITED = Aim(0.85)
AIM_YES_NO = Aim(0.85)
AIM_REFUSED = Aim(0.65)
AIM_P50_MS = Aim(450, at_most=True)
UNANSWERABLE = 50
SEED = 5


def run(bench: Workbench, *, embedder: str = "minilm", unanswerable: int = UNANSWERABLE) -> list[Row]:
    pages = labelled.aws_docs(bench)
    store = ingested(bench, pages, embedder)
    answered = _ask(bench, "docs: questions", store, embedder, pages.questions)
    robbed = random.Random(SEED).sample(pages.questions, min(unanswerable, len(pages.questions)))  # noqa: S311
    without = _without_pages(bench, pages, store, embedder, robbed)
    unanswered = _ask(bench, "docs: questions without their pages", without, embedder, robbed)
    return [
        row
        for system in SYSTEMS
        for row in (
            *_answers(system, answered[system], pages.questions),
            *_refusals(system, answered[system], unanswered[system], robbed),
            *_times(system, answered[system]),
        )
    ]


def _ask(
    bench: Workbench, title: str, store: Path, embedder: str, questions: Sequence[Question]
) -> dict[str, list[Reply]]:
    """What each system says to each question."""
    texts = [question.text for question in questions]
    replies: dict[str, list[Reply]] = {}
    for name, system in SYSTEMS.items():
        with open_engine(store, embedder) as engine, bench.steps(f"{title}: {name}", len(texts)) as done:
            replies[name] = ask_all(system(engine), texts, done)
    return replies


def _without_pages(
    bench: Workbench, pages: LabelledSet, store: Path, embedder: str, questions: Iterable[Question]
) -> Path:
    """A copy of the store from which the pages that answer the questions were deleted, all of them together."""
    copy = bench.scratch / f"{pages.name}-{embedder}-without"
    shutil.copytree(store, copy)
    gold = sorted({path for question in questions for path in question.relevant})
    with open_engine(copy, embedder) as engine:
        engine.delete([f"{pages.folder.name}/{path}" for path in gold], SCOPE)
    return copy


def _answers(system: str, replies: Sequence[Reply], questions: Sequence[Question]) -> list[Row]:
    """A question that is refused has cited nothing, said neither yes nor no, and shares no word with its answer."""
    both = list(zip(replies, questions, strict=True))
    told = [(reply.yes, question.yes) for reply, question in both if question.yes is not None]
    shared = [shared_words(reply.text, question.answer) for reply, question in both]
    yes = {"always yes": fmean(wanted for _, wanted in told)} if told else {}
    rows = [
        _row(
            system,
            "gold_cited",
            [not reply.cited.isdisjoint(question.relevant) for reply, question in both],
            aim=AIM_CITED,
        ),
        _row(system, "token_f1", [one.f1 for one in shared]),
        _row(system, "token_recall", [one.recall for one in shared]),
    ]
    if told:
        rows.insert(1, _row(system, "yes_no_accuracy", [said == wanted for said, wanted in told], yes, AIM_YES_NO))
    return rows


def _refusals(
    system: str, answered: Sequence[Reply], unanswered: Sequence[Reply], robbed: Sequence[Question]
) -> list[Row]:
    """Of the answers given without the page, some are right: other pages can say the same."""
    right = [
        shared_words(reply.text, question.answer).recall == 1 if question.yes is None else reply.yes == question.yes
        for reply, question in zip(unanswered, robbed, strict=True)
    ]
    wrong = [not reply.refused and not is_right for reply, is_right in zip(unanswered, right, strict=True)]
    return [
        _row(system, "refused@unanswerable", [reply.refused for reply in unanswered], aim=AIM_REFUSED),
        _row(system, "answered_right@unanswerable", right),
        _row(system, "answered_wrong@unanswerable", wrong),
        _row(system, "refused@answerable", [reply.refused for reply in answered]),
    ]


def _times(system: str, replies: Sequence[Reply]) -> list[Row]:
    times = [reply.milliseconds for reply in replies]
    aim = AIM_P50_MS if system == "docmind" else None
    return [
        Row("docs", system, "p50_ms", percentile(times, 50), len(times), aim=aim),
        Row("docs", system, "p95_ms", percentile(times, 95), len(times)),
    ]


def _row(
    system: str,
    metric: str,
    values: Sequence[float],
    references: dict[str, float] | None = None,
    aim: Aim | None = None,
) -> Row:
    return Row(
        "docs", system, metric, fmean(values), len(values), references or {}, aim if system == "docmind" else None
    )
