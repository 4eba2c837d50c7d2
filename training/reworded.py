"""Claims of authored documents said again in other words, and asked as people ask: `reworded.jsonl` in a folder.

A row belongs to a true claim and its twin. `true` and `false` say the two differently; `yes` and `no` are questions
with that answer; `open` asks for what is at stake, and `short` is its bare answer as it stands in the document.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from docmind.bench.authored import Claim, Folder, Question

_ANSWERS = {"yes": "yes", "no": "no", "open": ""}


def reworded_claims(folder: Folder) -> Iterator[tuple[Claim, Claim]]:
    """Pairs, the true one first."""
    for row, true, false in _rows(folder):
        yield (
            replace(true, id=f"{true.id}-reworded", text=row["true"]),
            replace(false, id=f"{false.id}-reworded", text=row["false"]),
        )


def reworded_questions(folder: Folder) -> Iterator[Question]:
    for row, true, _ in _rows(folder):
        for kind, answer in _ANSWERS.items():
            if row[kind]:
                yield Question(
                    id=f"{true.id}-{kind}",
                    document=true.document,
                    text=row[kind],
                    type="yes_no" if answer else "fact",
                    answer=answer or true.text,
                    short=answer or row["short"] or "",
                    must=(),
                    must_not=(),
                    evidence=true.evidence,
                    near=(),
                    twin=None,
                    own_words=True,
                )


def _rows(folder: Folder) -> Iterator[tuple[dict[str, Any], Claim, Claim]]:
    path = folder.path / "reworded.jsonl"
    claims = {claim.id: claim for claim in folder.claims}
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        row = json.loads(line)
        true = claims[row["id"]]
        yield row, true, claims[true.twin]
