"""Public sets of questions with the documents that answer them, read into one shape."""

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError

_STRING = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    relevant: frozenset[str]
    """Paths of the documents that answer it, relative to the set's folder."""
    answer: str = ""
    """What a person answered from them, where the set says so."""
    yes: bool | None = None
    """Whether that is a yes or a no, where it is either."""


@dataclass(frozen=True, slots=True)
class LabelledSet:
    name: str
    folder: Path
    """Its documents as files, ready to ingest."""
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Abstract:
    id: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.title}\n{' '.join(self.sentences)}"


def scifact(bench: Workbench) -> LabelledSet:
    """Claims and the abstracts that support or refute them; every abstract becomes a Markdown file under its title."""
    source = bench.dataset("scifact")

    def write() -> Path:
        folder = bench.scratch / "scifact"
        folder.mkdir()
        for abstract in scifact_abstracts(source):
            page = f"# {abstract.title}\n\n{' '.join(abstract.sentences)}\n"
            (folder / f"{abstract.id}.md").write_text(page, encoding="utf-8")
        return folder

    questions = tuple(
        Question(claim, frozenset(f"{document}.md" for document in relevant))
        for claim, relevant in scifact_claims(source)
    )
    return LabelledSet("scifact", bench.once("scifact files", write), questions)


def scifact_abstracts(source: Path) -> Iterator[Abstract]:
    with (source / "corpus.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sentences = (_spaced(sentence) for sentence in printed_strings(row["abstract"]))
            yield Abstract(row["doc_id"], _spaced(row["title"]), tuple(filter(None, sentences)))


def scifact_claims(source: Path) -> list[tuple[str, set[str]]]:
    """Each claim that has labels, with the ids of the abstracts that concern it."""
    relevant: dict[str, set[str]] = {}
    with (source / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                relevant.setdefault(row["query-id"], set()).add(row["corpus-id"])
    # A claim has a line for each of its abstracts.
    with (source / "claims.csv").open(encoding="utf-8", newline="") as file:
        claims = {row["id"]: row["claim"] for row in csv.DictReader(file)}
    return [(claims[key], documents) for key, documents in relevant.items()]


def printed_strings(array: str) -> list[str]:
    """The strings of a numpy array that was printed: quoted either way, with nothing but blanks between them."""
    return [ast.literal_eval(literal) for literal in _STRING.findall(array)]


def aws_docs(bench: Workbench) -> LabelledSet:
    """Questions about cloud services and the page of the documentation that answers each."""
    source = bench.dataset("aws-docs")
    folder = source / "documents"
    # The questions name a guide and a page; the pages lie one folder deeper.
    pages: dict[tuple[str, str], str] = {}
    for path in sorted(folder.rglob("*.md")):
        relative = path.relative_to(folder)
        pages.setdefault((relative.parts[0], relative.name), relative.as_posix())
    with (source / "questions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    questions = []
    for row in rows:
        guide, _, page = row["Document_True"].strip().rpartition("/")
        if (guide, page) not in pages:
            raise BenchError(f"aws-docs asks for the page {row['Document_True'].strip()!r}, which is not in {folder}.")
        yes = {"Yes": True, "No": False}.get(row["Yes_No_True"])
        questions.append(
            Question(row["Question"].strip(), frozenset({pages[guide, page]}), _spaced(row["Answer_True"]), yes)
        )
    return LabelledSet("aws-docs", folder, tuple(questions))


def _spaced(text: str) -> str:
    return " ".join(text.split())
