"""Questions on filings in miniature: an annual report that comes with the product stands in for them."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REPORT = "ellandor-annual-report-2023.pdf"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "finance"
REVENUE: dict[str, Any] = {
    "id": "revenue",
    "filings": [REPORT],
    "question": "What was Ellandor's revenue in 2023?",
    "kind": "lookup",
    "answer": "Revenue was EUR 601.02 million.",
    "short": "EUR 601.02 million",
    "value": 601020,
    "unit": "EUR thousand",
    "tolerance": 0.005,
    "must": ["601,020|601.0"],
    "must_not": [],
    "evidence": [{"filing": REPORT, "page": page, "quote": "Revenue 601,020 579,520"} for page in (3, 2)],
}
UNKNOWN: dict[str, Any] = {
    **REVENUE,
    "id": "unknown",
    "question": "Which composer wrote the anthem of Peru?",
    "kind": "unanswerable",
    "answer": "It is not disclosed.",
    "short": "not disclosed",
    "value": None,
    "unit": None,
    "tolerance": None,
    "must": [],
    "evidence": [],
}
Rows = Sequence[Mapping[str, Any]]


def write_filings(root: Path, design: Rows, kept: Rows) -> Path:
    """The folder `root/filings` with the report and the questions on it."""
    folder = root / "filings"
    folder.mkdir(parents=True)
    shutil.copy(EXAMPLES / REPORT, folder / REPORT)
    for name, rows in (("design", design), ("kept", kept)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return folder
