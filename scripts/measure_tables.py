"""Asks the questions over tables of documents that nothing was fitted on: `measure_tables.py [--part train|kept|tune]`.

`kept` and `train` are documents of data/tables, `tune` the authored documents for tuning, asked what may have to be
computed and the twins of that. Of each answer it tells
whether it was computed and whether it is right: a computed one by its result, a quoted one by all that it says.
"""

import argparse
import json
import re
import tempfile
from collections import Counter
from pathlib import Path

from docmind.bench.authored import Part, Question, read_authored
from docmind.bench.authored_answers import GIVEN, documents_of, is_right, questions_of
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.answers import RunResult
from docmind.skills.answer import COMPUTED
from table_questions import AUTHORED, COMPUTING_TYPES, TABLES, read_questions

_RESULT = re.compile(r"\*\*(.+?)\*\*")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("kept", "train", "tune"), default="kept")
    parser.add_argument("--json", type=Path, help="where to write what became of each question")
    options = parser.parse_args()
    documents, asked = asked_of(options.part)
    counts: Counter[tuple[str, str]] = Counter()
    sure = []
    rows = []
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents, SCOPE)
        for question in asked:
            answer = engine.run(question.text, SCOPE)
            kind, right = how(answer), is_right_answer(question, answer)
            counts[question.type, f"{kind} {'right' if right else 'wrong'}"] += 1
            if kind == "computed":
                sure.append((answer.confidence, right))
            rows.append({"id": question.id, "question": question.text, "type": question.type, "how": kind,
                         "right": right, "confidence": answer.confidence, "answer": answer.answer})  # fmt: skip
    show(counts)
    if sure:
        stated, held = (sum(side) / len(sure) for side in zip(*sure, strict=True))
        print(f"computed answers: {len(sure)}, stated probability {stated:.2f}, right {held:.2f}")
    if options.json:
        options.json.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")


def asked_of(part: str) -> tuple[list[Path], list[Question]]:
    if part == "tune":
        folders = read_authored(AUTHORED)
        asked = questions_of(folders, Part.TUNE)
        computing = {question.id for question in asked if question.type in COMPUTING_TYPES}
        return documents_of(folders, Part.TUNE), [one for one in asked if {one.id, one.twin} & computing]
    return sorted((TABLES / part / "docs").glob("*.md")), read_questions(TABLES / part / "questions.jsonl")


def how(answer: RunResult) -> str:
    if answer.status not in GIVEN:
        return "refused"
    return "computed" if any(event.reason == COMPUTED for event in answer.trace) else "quoted"


def is_right_answer(question: Question, answer: RunResult) -> bool:
    """A refusal is right where there is no answer."""
    kind = how(answer)
    if kind == "refused" or not question.answerable:
        return kind == "refused" and not question.answerable
    result = _RESULT.match(answer.answer)
    return is_right(question, result[1] if kind == "computed" and result else answer.answer)


def show(counts: Counter[tuple[str, str]]) -> None:
    ends = sorted({end for _, end in counts})
    print(f"{'':14}" + "".join(f"{end:>16}" for end in ends))
    for kind in (*sorted({kind for kind, _ in counts}), "all"):
        own = [sum(n for (type_, e), n in counts.items() if e == end and kind in (type_, "all")) for end in ends]
        print(f"{kind:14}" + "".join(f"{n:16}" for n in own))


if __name__ == "__main__":
    main()
