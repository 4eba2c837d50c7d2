"""A workbench over public sets in miniature, laid out as the real ones are."""

import csv
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from docmind.bench.workbench import Workbench, workbench

ABSTRACTS = [
    ("11", "Aspirin and headache.", """['Aspirin relieves headache in adults.' "It doesn't cure migraine."]"""),
    ("12", "Sleep in newborns.", "['Newborns sleep for sixteen hours.'\n 'Crying peaks at six weeks.   \\n']"),
    ("13", "Vitamin D in winter.", "['Vitamin D falls in winter.' 'Bones need it.']"),
    ("14", "Bees and pesticides.", "['Pesticides harm bees.' 'Colonies shrink.']"),
]
CLAIMS = [
    ("1", "Aspirin relieves headache.", "11"),
    ("1", "Aspirin relieves headache.", "12"),
    ("2", "Newborns sleep sixteen hours.", "12"),
    ("3", "Nobody labelled this claim.", "13"),
]
PAGES = {
    "ec2-guide/doc_source/encryption.md": "# Disk encryption\n\nDisks are encrypted with managed keys.\n",
    "ec2-guide/doc_source/tags.md": "# Tagging\n\nTags are labels on resources, at most fifty each.\n",
    "ec2-guide/README.md": "# The guide\n\nHow to read this guide.\n",
    "rds-guide/doc_source/backup.md": "# Backups\n\nBackups are kept for seven days.\n",
}
QUESTIONS = [
    ("Are disks encrypted? ", "ec2-guide/encryption.md"),
    ("How many tags may a resource have?", " ec2-guide/tags.md"),
    ("How long are backups kept?", "rds-guide/backup.md"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    scifact, aws = folder / "scifact", folder / "aws-docs"
    for path in (scifact, aws):
        path.mkdir(parents=True)
    write_csv(scifact / "corpus.csv", ["doc_id", "title", "abstract"], ABSTRACTS)
    write_csv(scifact / "claims.csv", ["id", "claim", "evidence_doc_id"], CLAIMS)
    (scifact / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n1\t11\t1\n1\t12\t0\n2\t12\t1\n", encoding="utf-8")
    for name, text in PAGES.items():
        page = aws / "documents" / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, encoding="utf-8")
    rows = [(question, "yes", "Yes", page) for question, page in QUESTIONS]
    write_csv(aws / "questions.csv", ["Question", "Answer_True", "Yes_No_True", "Document_True"], rows)
    return folder


@pytest.fixture
def bench(data: Path) -> Iterator[Workbench]:
    with workbench(data, Console(file=StringIO())) as opened:
        yield opened


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
