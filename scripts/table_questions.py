"""The questions over tables that are fitted on, what is found for each, and what it asks to be worked out."""

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from docmind.bench.authored import Folder, Part, Question
from docmind.bench.authored_answers import documents_of, is_right, questions_of, says
from docmind.bench.workbench import SCOPE, open_engine
from docmind.domain.search import Hit
from docmind.skills.tables.asking_model import KINDS, TESTS
from docmind.skills.tables.conditions import Comparison
from docmind.skills.tables.features import Floats
from docmind.skills.tables.programs import Operation, Program, candidates
from docmind.skills.tables.results import result
from docmind.skills.tables.table import read_tables

ROOT = Path(__file__).parent.parent
AUTHORED, TABLES = ROOT / "data" / "authored", ROOT / "data" / "tables"
PASSAGES, FURTHER_PASSAGES = 8, 60
OPERATIONS = {
    "which": {"max", "min", "top", "bottom", "rise", "fall", "list", "cell"},
    "total": {"sum", "times"},
    "how_many": {"count", "sum", "difference", "mean", "cell"},
    "compare": {"difference", "max", "min"},
    "list": {"list", "top", "bottom", "max", "min", "cell"},
    "choice": {"max", "min"},
    "quantity": {"sum", "difference", "mean", "cell", "times"},
    "what": {"max", "min", "cell"},
    "lookup": {"max", "min", "cell"},
    "band": {"cell", "list"},
    "times": {"times"},
    "who": {"cell", "list", "rise", "fall"},
    "when": {"cell"},
    "how_much": {"cell", "times"},
    "how_long": {"cell"},
    "condition": {"cell"},
}
"""By the type of a question what may have been meant: a result may be right by accident."""
COMPUTING_TYPES = {"which", "total", "how_many", "compare", "list", "choice", "band", "times"}
SAMPLED = 0.25
"""The share of the other questions over documents with tables that the ranker is fitted on."""
ONE_OF_ALL = {Operation.MAX, Operation.MIN, Operation.RISE, Operation.FALL}
READ = {"quantity", "what", "lookup", "who", "when", "how_much", "how_long", "condition"}
"""Types of question that one row answers as it stands, where one is all the evidence; the cell of a range does too."""


def find_training(folders: Sequence[Folder], chance: np.random.Generator) -> Iterator[tuple[Question, list[Hit]]]:
    """The questions that are fitted on with what is found for them; nothing for those that are surely read."""
    authored = read_questions(TABLES / "questions.jsonl")
    about = {path.stem for path in documents_of([one for one in folders if is_about_tables(one)], Part.TRAIN)}
    about |= {question.document for question in authored}
    for question in questions_of(folders, Part.TRAIN):
        if question.document in about and (question.type in COMPUTING_TYPES or chance.random() < SAMPLED):
            authored.append(question)
        elif question.answerable and question.type not in OPERATIONS:
            yield question, []
    yield from search(documents_of(folders, Part.TRAIN), authored)
    own = read_questions(TABLES / "train" / "questions.jsonl")
    yield from search(sorted((TABLES / "train" / "docs").glob("*.md")), own)


def is_about_tables(folder: Folder) -> bool:
    """Whether its documents are tables above all, as the README of the authored documents says."""
    return re.fullmatch(r"h|t1|[muv]\d", folder.path.name) is not None


def read_questions(path: Path) -> list[Question]:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [
        Question(
            row["id"], row["doc"], row["question"], row["type"], "", "", tuple(row["must"]), tuple(row["must_not"]),
            (), (), None, own_words=True,
        )
        for row in rows
    ]  # fmt: skip


def search(documents: Sequence[Path], asked: Sequence[Question]) -> Iterator[tuple[Question, list[Hit]]]:
    """What is found for each question; where that has no table of its document, also what is found in the document.

    The first teaches that the right table may not be there, the second what would be asked of it.
    """
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents, SCOPE)
        for question in asked:
            hits = engine.search(question.text, SCOPE, limit=PASSAGES)
            yield question, hits
            if question.type in COMPUTING_TYPES and not any(_is_own_table(question, hit) for hit in hits):
                wide = engine.search(question.text, SCOPE, limit=FURTHER_PASSAGES)
                own = [hit for hit in wide if Path(hit.document.name).stem == question.document][:PASSAGES]
                if own:
                    yield question, own


def _is_own_table(question: Question, hit: Hit) -> bool:
    return hit.passage.kind == "table" and Path(hit.document.name).stem == question.document


def is_asked_for(question: Question, program: Program) -> int:
    """0 where a program is not what was asked for, 1 where it may be, 2 where its result names what the answer must."""
    told = result(program)
    document = Path(program.table.hits[0].document.name).stem
    if not told or document != question.document or program.operation not in OPERATIONS.get(question.type, ()):
        return 0
    chosen_by_range = program.condition is not None and program.condition.test is Comparison.WITHIN
    if question.type in READ and len(question.evidence) < 2 and not chosen_by_range:
        return 0
    if program.is_computed or program.operation is Operation.CELL:
        # The row of a computed number may hold what it must not say, in another column.
        wanted = [one for one in question.must if any(map(str.isdigit, one)) or program.operation is Operation.CELL]
        return 2 * (bool(wanted) and is_right(replace(question, must=tuple(wanted)), told))
    cells = " ".join(cell for row in program.rows for cell in program.table.rows[row].cells)
    if not is_right(question, f"{told}. {cells}"):
        return 0
    several = len(question.must) > 1 or question.type == "list"
    most = 2 if program.operation in ONE_OF_ALL else max(2, 3 * len(question.must) // 2)
    if len(program.rows) > most or (program.operation in (Operation.TOP, Operation.BOTTOM) and not several):
        return 0
    names = [program.table.name(row) for row in program.rows]
    return 1 + any(says(name, one) for name in names for one in question.must)


def asked_for(question: Question, hits: Sequence[Hit]) -> tuple[Floats, Floats] | None:
    """The operations and the tests of the programs that a question asks for; none where that cannot be told."""
    tables = read_tables(hits) if question.type in OPERATIONS else []
    found = [program for table in tables for program in candidates(question.text, table)]
    meant = [program for program in found if is_asked_for(question, program) == 2]
    kinds, tests = np.zeros(len(KINDS), np.float32), np.zeros(len(TESTS), np.float32)
    for program in meant:
        kinds[KINDS.index(program.operation)] = 1
        tests[TESTS.index(program.condition.test if program.condition else None)] = 1
    if meant:
        return kinds / kinds.sum(), tests / tests.sum()
    if question.type in COMPUTING_TYPES or not question.answerable:
        return None
    kinds[0] = 1
    return kinds, tests
