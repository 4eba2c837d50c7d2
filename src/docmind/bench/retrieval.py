"""Asks a labelled set's questions of the product and of its two searches alone, over one index."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from docmind.bench.labelled import LabelledSet, Question
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.corpus.index import bm25
from docmind.domain.documents import Document
from docmind.domain.errors import BenchError
from docmind.domain.search import Filters
from docmind.runtime.engine import DocMind

SYSTEMS = ("bm25", "dense", "docmind")
DEPTH = 250
"""Passages asked for: a document has several, and 100 documents must come out of them."""

Measure = Callable[[Sequence[str], frozenset[str], int], float]
"""Of a ranking, what is relevant, and the depth to look at."""
Ranking = list[str]
"""Paths of documents, best first."""


def ingested(bench: Workbench, labelled: LabelledSet, embedder: str) -> Path:
    """The data folder of an installation that has read the whole set, built by the first task that needs it."""
    return bench.once(f"{labelled.name} by {embedder}", lambda: _ingest(bench, labelled, embedder))


def _ingest(bench: Workbench, labelled: LabelledSet, embedder: str) -> Path:
    data_dir = bench.scratch / f"{labelled.name}-{embedder}"
    files = sum(path.is_file() for path in labelled.folder.rglob("*"))
    title = f"{labelled.name}: ingest"
    with open_engine(data_dir, embedder) as engine, bench.steps(title, files) as done:
        report = engine.ingest([labelled.folder], SCOPE, lambda _name, report: done(report.files))
    if report.rejected:
        first = report.rejected[0]
        raise BenchError(
            f"{len(report.rejected)} files of {labelled.name} were rejected, first {first.name}: {first.reason}."
        )
    return data_dir


def rankings(bench: Workbench, labelled: LabelledSet, embedder: str) -> dict[str, list[Ranking]]:
    """What each system finds for each question, in the questions' order."""
    data_dir = ingested(bench, labelled, embedder)
    found: dict[str, list[Ranking]] = {system: [] for system in SYSTEMS}
    title = f"{labelled.name}: questions"
    with open_engine(data_dir, embedder) as engine, bench.steps(title, len(labelled.questions)) as done:
        home = document_of_passage(engine)
        for number, question in enumerate(labelled.questions):
            for system, ranking in _alone(engine, question, home).items():
                found[system].append(ranking)
            found["docmind"].append(_rank(engine, question))
            done(number + 1)
    return found


def _alone(engine: DocMind, question: Question, home: dict[str, str]) -> dict[str, Ranking]:
    vector = engine.embedder.embed_query(question.text)
    alone = engine.index.search(SCOPE, vector.tolist(), bm25.encode_query(question.text), Filters(), DEPTH)
    return {
        "bm25": distinct(home[passage] for passage in alone.bm25_top),
        "dense": distinct(home[passage] for passage in alone.dense_top),
    }


def _rank(engine: DocMind, question: Question) -> Ranking:
    return distinct(path_of(hit.document) for hit in engine.search(question.text, SCOPE, limit=DEPTH))


def document_of_passage(engine: DocMind) -> dict[str, str]:
    return {
        passage.id: path_of(document) for document in engine.documents(SCOPE) for passage in engine.passages(document)
    }


def path_of(document: Document) -> str:
    """Where a document lies below the folder that was ingested, whose own name comes first in its name."""
    return document.name.partition("/")[2]


def distinct(paths: Iterable[str]) -> Ranking:
    """A document stands where its best passage does."""
    return list(dict.fromkeys(paths))


def mean(measure: Measure, depth: int, found: Sequence[Ranking], questions: Sequence[Question]) -> float:
    return fmean(measure(ranking, question.relevant, depth) for ranking, question in zip(found, questions, strict=True))
