"""Asks the authored questions of the product and tells right answers from wrong ones, as people would by a list."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docmind.bench.authored import Folder, Part, Question
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import RunResult, Status

GIVEN = frozenset((Status.ANSWERED, Status.CAVEAT))
_MARKS = re.compile(r"[*_`]|\[\d+\]")
_SENTENCE = 20
"""Letters and digits that a quotation has at least: a bare answer is none."""


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """A question and what became of it."""

    question: Question
    answered: bool
    right: bool
    confidence: float
    says: str
    """`yes` or `no` where the answer begins so."""
    milliseconds: float = 0.0


def documents_of(folders: Sequence[Folder], part: Part) -> list[Path]:
    return [path for folder in folders for name, path in folder.documents.items() if folder.part(name) is part]


def questions_of(folders: Sequence[Folder], part: Part) -> list[Question]:
    return [one for folder in folders for one in folder.questions if folder.part(one.document) is part]


def workspace(bench: Workbench, folders: Sequence[Folder], part: Part, embedder: str) -> Path:
    """The data folder of an installation that has read all documents of the part into one workspace."""

    def ingest() -> Path:
        data_dir = bench.scratch / f"authored-{part}-{embedder}"
        paths = documents_of(folders, part)
        with open_engine(data_dir, embedder) as engine, bench.steps(f"authored, {part}: ingest", len(paths)) as done:
            engine.ingest(paths, SCOPE, lambda _name, report: done(report.files))
        return data_dir

    return bench.once(f"authored {part} by {embedder}", ingest)


def judged(question: Question, result: RunResult) -> QuestionOutcome:
    answered = result.status in GIVEN
    right = answered and is_right(question, result.answer)
    return QuestionOutcome(
        question, answered, right, result.confidence, opening(result.answer), result.usage.seconds * 1000
    )


def is_right(question: Question, answer: str) -> bool:
    """Whether an answer says all that it must and, beside the evidence that it quotes, nothing that it must not.

    What decides often names the wrong values too: "smaller pictures cost $185, larger ones $260".
    """
    if not question.answerable:
        return False
    said, beside = told_and_beside(answer, question.evidence)
    return all(says(said, one) for one in question.must) and not any(says(beside, one) for one in question.must_not)


def told_and_beside(answer: str, evidence: Sequence[str]) -> tuple[str, str]:
    """All that an answer says, without its marks, and what it says beside the evidence that it quotes."""
    pieces = _MARKS.sub(lambda mark: "\n" if mark[0].startswith("[") else "", answer).split("\n")
    return " ".join(pieces), " ".join(one for one in pieces if not quotes(one, evidence))


def quotes(piece: str, evidence: Sequence[str]) -> bool:
    """Whether a sentence or row of an answer is a piece of the evidence, or has all cells of it."""
    said = _letters(piece)
    return any(
        (len(said) >= _SENTENCE and said in _letters(one)) or all(_letters(cell) in said for cell in one.split("|"))
        for one in evidence
    )


def _letters(text: str) -> str:
    """Without marks and spaces: a row is quoted with others than it has in the document."""
    return "".join(filter(str.isalnum, text.casefold()))


def opening(answer: str) -> str:
    first = re.match(r"\W*(yes|no)\b", answer, re.IGNORECASE)
    return first[1].lower() if first else ""


def says(text: str, wanted: str) -> bool:
    """Whether one of the alternatives stands in the text as whole words."""
    return any(
        re.search(rf"(?<!\w){re.escape(one.strip())}(?!\w)", text, re.IGNORECASE) is not None
        for one in wanted.split("|")
        if one.strip()
    )


def share(some: Sequence[QuestionOutcome], holds: Callable[[QuestionOutcome], bool]) -> float:
    return sum(map(holds, some)) / len(some) if some else 0.0
