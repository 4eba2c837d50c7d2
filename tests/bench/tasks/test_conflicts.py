"""Authored conflicts in miniature."""

from pathlib import Path

import pytest

from docmind.bench.authored import Folder
from docmind.bench.tasks import conflicts
from docmind.bench.workbench import Workbench
from tests.bench.authored_folder import BADGES, write_authored

SECOND = "badge_leaflet"
QUESTION = "How much does a new badge cost?"
OTHER = "A new badge costs {} euros."


@pytest.mark.parametrize(("price", "found"), [("19", 1.0), ("12", 0.0)])
def test_a_pair_is_found_where_its_documents_answer_differently(
    bench: Workbench, data: Path, price: str, found: float
) -> None:
    said = OTHER.format(price)
    documents = {
        BADGES: "# Badges\n\nA lost badge is reported to the front desk. A new badge costs 12 euros.\n",
        SECOND: f"# Badge leaflet\n\n{said}\n",
    }
    pair = {"id": "k1", "docs": [BADGES, SECOND], "question": QUESTION, "disagree": True, "values": ["12", price],
            "evidence": ["A new badge costs 12 euros.", said], "why": ""}  # fmt: skip
    root = write_authored(data, documents, {"conflicts": [pair]})
    folder = Folder(root / "office", {name: root / f"office/docs/{name}.md" for name in documents})
    rows = {(row.system, row.metric): row for row in conflicts.run(bench, embedder="static", part=folder.part(BADGES))}
    assert rows["differing", "recall"].value == found
    assert rows["docmind", "f1"].value == found
    assert rows["docmind", "elsewhere"].value == 0
    assert rows["docmind", "p50_ms"].n == 1
    assert {key for key, row in rows.items() if row.aim} == {("docmind", metric) for metric in conflicts.AIMS}


def test_what_a_side_says_is_recognised_in_the_row_of_a_table() -> None:
    assert conflicts.stands_at("Buckets | Free: 20 | Team: 50", ["| Buckets | 20 | 50 |"])
    assert not conflicts.stands_at("Traffic | Free: 1 TB", ["| Buckets | 20 | 50 |"])
