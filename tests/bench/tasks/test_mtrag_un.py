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
    task("Does this animal have antlers?", "UNDERSPECIFIED", "cloud", KEYS),
]


def write(data: Path, tasks: list[dict[str, object]]) -> None:
    folder = data / "mtrag-un"
    folder.mkdir()
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in tasks), encoding="utf-8")


def values(rows: list[Row], system: str) -> dict[str, float]:
    return {row.metric: row.value for row in rows if row.system == system}


def test_answers_refusals_and_questions_are_scored_beside_always_answering(bench: Workbench, data: Path) -> None:
    write(data, TASKS)
    rows = mtrag_un.run(bench, embedder="static")
    always = values(rows, "always-answer")
    assert always["f1@answer"] == pytest.approx(2 / 3)
    assert always["macro_f1"] == pytest.approx(2 / 9)
    alone = values(rows, "docs, question alone")
    assert (alone["f1@answer"], alone["f1@clarify"]) == (1, 0)
    assert values(rows, "docmind")["macro_f1"] == 1
    counted = {row.metric: row.n for row in rows}
    assert counted == {
        "macro_f1": 4, "f1@answer": 2, "f1@refuse": 1, "f1@clarify": 1, "ndcg@5": 3, "p50_ms": 4
    }  # fmt: skip


def test_what_a_turn_leans_on_is_searched_for_with_it(bench: Workbench, data: Path) -> None:
    said = [
        {"speaker": "user", "text": "How long does black tea steep?"},
        {"speaker": "agent", "text": "Black tea steeps for four minutes."},
    ]
    follow_up = task("And green tea?", "ANSWERABLE", "wiki", TEA)
    follow_up["input"] = [*said, {"speaker": "user", "text": "Does it turn bitter?"}]
    write(data, [follow_up, *TASKS])
    rows = mtrag_un.run(bench, embedder="static")
    assert values(rows, "docmind")["ndcg@5"] >= values(rows, "last turn")["ndcg@5"] > 0


def test_an_unknown_label_is_named(bench: Workbench, data: Path) -> None:
    write(data, [task("What?", "GUESSED", "wiki")])
    with pytest.raises(BenchError, match="labelled 'GUESSED'"):
        mtrag_un.run(bench, embedder="static")
