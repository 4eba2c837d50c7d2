"""Fit how likely a statement answers a question: `fit_answer.py [DATA]`, written to skills/extract/score.json.

Paragraphs of public reading sets are ingested into a store of their own and searched with their questions. A statement
that holds the answer's words in the answer's paragraph answers; all others do not. Each question is also asked without
its paragraph, so that nothing found answers it: the probability below which the answerer refuses is the one at which as
many of the questions that are answered are refused as questions that are not are answered.
No benchmark that `docmind bench` scores is used.
"""

import json
import lzma
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from docmind.bench.workbench import open_engine
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding import Grounder
from docmind.skills.extract.candidates import candidates
from docmind.skills.extract.question import read_question
from docmind.skills.extract.select import ScoreModel
from docmind.skills.extract.signals import Signals, read_signals
from docmind.skills.extract.statements import Statement, read_statements
from logistic import logistic

SOURCES = ("covidqa", "qasper", "squad1", "squad2", "squadshifts_new_wiki")
ASKED = 1500
SEED = 7
FOUND = 8
"""Passages an answer is looked for in."""
TARGET = Path(__file__).parent.parent / "src/docmind/skills/extract/score.json"
SCOPE = Scope("fit")
VECTORS = WordVectors()
GROUNDER = Grounder(VECTORS)


@dataclass(frozen=True)
class Posed:
    """A question, what answers it, and what a search for it found."""

    question: str
    answer: str
    file: str
    """The name of the paragraph that answers it."""
    hits: list[Hit]

    @property
    def is_found(self) -> bool:
        return any(hit.document.name == self.file for hit in self.hits[:FOUND])

    @property
    def others(self) -> list[Hit]:
        """What is found where the paragraph that answers it is not there."""
        return [hit for hit in self.hits if hit.document.name != self.file][:FOUND]

    def is_answered_by(self, statement: Statement) -> bool:
        answer = " ".join(self.answer.split())
        return statement.hit.document.name == self.file and answer in " ".join(statement.text.split())


Rows = dict[str, list[tuple[str, str]]]
"""Questions with their answers, by paragraph."""
Read = list[tuple[Signals, bool]]
"""The signals of the statements found for a question, and whether each answers it."""


def read_rows(data: Path) -> Rows:
    found: Rows = {}
    for kind in ("permissive", "share-alike"):
        with lzma.open(data / "train" / kind / "read.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["source"] in SOURCES and row["start"] >= 0:
                    found.setdefault(row["context"], []).append((row["question"], row["answer"]))
    return found


def pose(rows: Rows, scratch: Path, *, each: int = 1) -> list[Posed]:
    """Questions on some paragraphs, asked of a store that holds all: what else is found is on the same topics."""
    choose = random.Random(SEED)
    paragraphs = choose.sample(sorted(rows), len(rows))
    folder = scratch / "paragraphs"
    folder.mkdir()
    for number, paragraph in enumerate(paragraphs):
        (folder / f"{number}.md").write_text(paragraph, encoding="utf-8")
    posed = []
    with open_engine(scratch / "store", "minilm") as engine:
        engine.ingest([folder], SCOPE)
        for number, paragraph in enumerate(paragraphs[:ASKED]):
            for question, answer in choose.sample(rows[paragraph], min(each, len(rows[paragraph]))):
                hits = engine.search(question, SCOPE, limit=2 * FOUND)
                posed.append(Posed(question, answer, f"{folder.name}/{number}.md", hits))
    return posed


def read(one: Posed, hits: Sequence[Hit]) -> Read:
    question = read_question(one.question)
    statements = read_statements(hits)
    able = set(candidates(question, statements))
    evidence = GROUNDER.evidence(dict.fromkeys(hit.passage for hit in hits))
    return [
        (signals, one.is_answered_by(statement))
        for statement, signals in zip(statements, read_signals(question, statements, evidence, VECTORS), strict=True)
        if statement in able
    ]


def with_and_without(posed: Iterable[Posed]) -> Iterator[tuple[Read, Read]]:
    """What is found for each question, and what is when the paragraph that answers it is left out."""
    for one in posed:
        if one.is_found:
            yield read(one, one.hits[:FOUND]), read(one, one.others)


def fit(pairs: Sequence[tuple[Read, Read]]) -> ScoreModel:
    rows = [row for pair in pairs for found in pair for row in found]
    vectors = np.array([list(signals.named().values()) for signals, _ in rows]).T
    answers = np.array([answers for _, answers in rows], dtype=np.float64)
    intercept, *coefficients = logistic(vectors, answers, np.ones_like(answers))
    names = [field.name for field in fields(Signals)]
    rounded = {name: round(value, 4) for name, value in zip(names, coefficients, strict=True)}
    model = ScoreModel(round(intercept, 4), rounded, 0.0)
    return ScoreModel(model.intercept, rounded, round(balanced(model, pairs), 4))


def balanced(model: ScoreModel, pairs: Sequence[tuple[Read, Read]]) -> float:
    """The threshold that errs as often in one direction as in the other."""
    answered, unanswered = (
        np.sort([max((model.probability(signals) for signals, _ in found), default=0.0) for found in side])
        for side in zip(*pairs, strict=True)
    )
    refused = np.searchsorted(answered, unanswered) / len(answered)
    let_through = 1 - np.arange(len(unanswered)) / len(unanswered)
    place = int(np.abs(refused - let_through).argmin())
    print(f"At {unanswered[place]:.4f}: {refused[place]:.3f} of either kind are taken for the other.")
    return float(unanswered[place])


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    with tempfile.TemporaryDirectory() as scratch:
        posed = pose(read_rows(data), Path(scratch))
    pairs = list(with_and_without(posed))
    model = fit(pairs)
    fitted = {
        "fitted_on": list(SOURCES),
        "intercept": model.intercept,
        "coefficients": model.coefficients,
        "refuse_below": model.refuse_below,
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    print(f"{len(pairs)} questions: {fitted}")


if __name__ == "__main__":
    main()
