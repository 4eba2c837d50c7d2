"""Messages told by their kind, beside word lists, in miniature."""

import json
from pathlib import Path

from docmind.bench.messages import read_messages
from docmind.bench.tasks import messages
from docmind.bench.workbench import Workbench
from docmind.domain.answers import MessageKind

WRITTEN = Path(__file__).resolve().parents[3] / "data" / "messages"
ROWS = [
    {"text": "good morning", "kind": "greeting", "part": "test"},
    {"text": "summarise the travel policy", "kind": "summarise", "part": "test"},
    {"text": "What documents do I need to bring?", "kind": "question", "part": "test"},
    {"text": "never looked at", "kind": "thanks", "part": "train"},
]


def test_each_kind_has_its_precision_and_recall(bench: Workbench) -> None:
    folder = bench.data / "messages"
    folder.mkdir(exist_ok=True)
    (folder / "messages.jsonl").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    rows = {(row.system, row.metric): row for row in messages.run(bench)}
    assert rows["docmind", "accuracy"].value == 1.0
    assert rows["docmind", "questions_lost"].value == 0.0
    assert rows["docmind", "recall@summarise"].n == 1
    assert rows["docmind", "precision@thanks"].n == 0
    assert rows["word-lists", "recall@greeting"].value == 1.0
    assert rows["word-lists", "recall@summarise"].value == 0.0


def test_the_messages_that_ship_are_in_order() -> None:
    written = read_messages(WRITTEN)
    assert len({one.text for one in written}) == len(written)
    assert all(one.text.strip() == one.text != "" for one in written)
    assert all(one.name in one.text for one in written)
    for part in ("train", "test"):
        assert {one.kind for one in written if one.part == part} == set(MessageKind)
