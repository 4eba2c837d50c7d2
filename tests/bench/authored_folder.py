"""An authored folder in miniature: documents whose names lie in the part that is kept, and what was written on them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

Rows = Sequence[Mapping[str, object]]

PARKING = "car_park"
BADGES = "staff_badges"
DOCUMENTS = {
    PARKING: "# Parking\n\nVisitors park in the north yard. A visitor may stay for three hours.\n",
    BADGES: "# Badges\n\nA lost badge is reported to the front desk. A new badge costs 12 euros.\n",
}
CLAIMS: Rows = [
    {"id": "c1", "doc": PARKING, "claim": "Visitors park in the north yard.", "label": "supported", "kind": "detail",
     "evidence": "Visitors park in the north yard."},
    {"id": "c2", "doc": BADGES, "claim": "A new badge costs 12 euros.", "label": "supported", "kind": "number",
     "evidence": ["A new badge costs 12 euros."]},
]  # fmt: skip
CLAIM_TWINS: Rows = [
    {"id": "c1t", "of": "c1", "doc": PARKING, "claim": "Dragons guard the moon tower at night.", "label": "unsupported",
     "kind": "detail", "evidence": ""},
    {"id": "c2t", "of": "c2", "doc": BADGES, "claim": "A new badge costs 19 euros.", "label": "contradicted",
     "kind": "number", "evidence": "A new badge costs 12 euros."},
]  # fmt: skip
QUESTIONS: Rows = [
    {"id": "q1", "doc": BADGES, "question": "How much does a new badge cost?", "type": "factoid", "answer": "12 euros.",
     "short": "12 euros", "must": ["12 euros|EUR 12"], "must_not": ["19"], "evidence": "A new badge costs 12 euros."},
    {"id": "q2", "doc": PARKING, "question": "Who painted the ceiling of the opera house?", "type": "unanswerable",
     "answer": "", "short": "", "must": [], "must_not": [], "near": ""},
]  # fmt: skip
QUESTION_TWINS: Rows = [
    {"id": "q1t", "of": "q1", "doc": BADGES, "question": "Which composer wrote the anthem of Peru?",
     "type": "unanswerable", "answer": "", "short": "", "must": [], "must_not": [], "near": ""},
    {"id": "q2t", "of": "q2", "doc": PARKING, "question": "Where do visitors park?", "type": "factoid",
     "answer": "In the north yard.", "short": "the north yard", "must": ["north yard"], "must_not": [],
     "evidence": "Visitors park in the north yard."},
]  # fmt: skip
FILES: dict[str, Rows] = {
    "claims": CLAIMS,
    "claims_twins": CLAIM_TWINS,
    "questions": QUESTIONS,
    "questions_twins": QUESTION_TWINS,
}


def write_authored(
    root: Path,
    documents: Mapping[str, str] = DOCUMENTS,
    files: Mapping[str, Rows] = FILES,
) -> Path:
    """The data folder `root/authored`, which holds one field of life."""
    folder = root / "authored" / "office"
    (folder / "docs").mkdir(parents=True)
    for name, text in documents.items():
        (folder / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    for name, rows in files.items():
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return root / "authored"
