"""Decisions on the last turn of conversations, in miniature."""

import json
from pathlib import Path

import pytest

from docmind.bench.report import Row
from docmind.bench.tasks import mtrag_un
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError

TEA = {"document_id": "t1", "title": "Tea", "text": "Black tea steeps for four minutes. Green tea turns bitter soon."}
KEYS = {"document_id": "k1", "text": "A key can be rotated once a day. Keys are kept for seven years."}


def task(question: str, label: str, collection: str, *contexts: dict[str, str]) -> dict[str, object]:
    return {
        "Collection": collection,
        "contexts": contexts,
        "answerability": [label],
        "input": [
            {"speaker": "user", "text": "Hello"},
            {"speaker": "agent", "text": "Good day."},
            {"speaker": "user", "text": question},
        ],
    }


TASKS = [
    task("How long does black tea steep?", "ANSWERABLE", "wiki", TEA),
    task("For how many years are keys kept?", "PARTIAL", "cloud", KEYS),
    task("Who composed the opera about the moon?", "UNANSWERABLE", "wiki"),
    task("Which one?", "UNDERSPECIFIED", "cloud", KEYS),
]


def write(data: Path, tasks: list[dict[str, object]]) -> None:
    folder = data / "mtrag-un"
    folder.mkdir()
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in tasks), encoding="utf-8")


def values(rows: list[Row], system: str) -> dict[str, float]:
    return {row.metric: row.value for row in rows if row.system == system}


def test_answers_and_refusals_are_scored_beside_always_answering(bench: Workbench, data: Path) -> None:
    write(data, TASKS)
    rows = mtrag_un.run(bench, embedder="static")
    always = values(rows, "always-answer")
    assert always["f1@answer"] == pytest.approx(2 / 3)
    assert always["macro_f1"] == pytest.approx(2 / 9)
    for system in ("docmind", "docmind, reading"):
        measured = values(rows, system)
        assert measured["f1@answer"] == 1
        assert measured["f1@refuse"] == pytest.approx(2 / 3)
        assert measured["f1@clarify"] == 0
    assert {row.metric: row.n for row in rows} == {"macro_f1": 4, "f1@answer": 2, "f1@refuse": 1, "f1@clarify": 1}


def test_an_unknown_label_is_named(bench: Workbench, data: Path) -> None:
    write(data, [task("What?", "GUESSED", "wiki")])
    with pytest.raises(BenchError, match="labelled 'GUESSED'"):
        mtrag_un.run(bench, embedder="static")
