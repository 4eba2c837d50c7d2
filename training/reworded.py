"""Claims of authored documents said again in other words, and asked as people ask: `reworded.jsonl` in a folder.

A row belongs to a true claim and its twin. `true` and `false` say the two differently; `yes` and `no` are questions
with that answer; `open` asks for what is at stake, and `short` is its bare answer as it stands in the document. Not
every row has the others: `none` asks for something near that the document does not say; `plain` asks in the document's
own words, and `plain_short` is its bare answer. Where another stretch than the claim's evidence answers one of these,
it stands in `open_evidence` or `plain_evidence`.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from docmind.bench.authored import Claim, Folder, Question

_ANSWERS = {"yes": "yes", "no": "no"}
_SHORT = {"open": "short", "plain": "plain_short"}


def reworded_claims(folder: Folder) -> Iterator[tuple[Claim, Claim]]:
    """Pairs, the true one first."""
    for row, true, false in _rows(folder):
        yield (
            replace(true, id=f"{true.id}-reworded", text=row["true"]),
            replace(false, id=f"{false.id}-reworded", text=row["false"]),
        )


def reworded_questions(folder: Folder) -> Iterator[tuple[Question, Question | None]]:
    """Questions that the document answers; the open one beside one that it does not, where there is such."""
    for row, true, _ in _rows(folder):
        for kind in (*_ANSWERS, *_SHORT):
            if not row.get(kind):
                continue
            answer = _ANSWERS.get(kind, "")
            question = Question(
                id=f"{true.id}-{kind}",
                document=true.document,
                text=row[kind],
                type="yes_no" if answer else "fact",
                answer=answer or true.text,
                short=answer or row[_SHORT[kind]] or "",
                must=(),
                must_not=(),
                evidence=tuple(row.get(f"{kind}_evidence", ())) or true.evidence,
                near=(),
                twin=None,
                own_words=kind != "plain",
            )
            twin = None
            if kind == "open" and row.get("none"):
                twin = replace(
                    question, id=f"{true.id}-none", text=row["none"], type="unanswerable", answer="", short="",
                    evidence=(), near=true.evidence, twin=question.id,
                )  # fmt: skip
            yield question, twin


def _rows(folder: Folder) -> Iterator[tuple[dict[str, Any], Claim, Claim]]:
    path = folder.path / "reworded.jsonl"
    claims = {claim.id: claim for claim in folder.claims}
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        row = json.loads(line)
        true = claims[row["id"]]
        yield row, true, claims[true.twin]
