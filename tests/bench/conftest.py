"""A workbench over public sets in miniature, laid out as the real ones are."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
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


def marked(response: str, words: str, kind: str, *, true_elsewhere: bool = False) -> dict[str, object]:
    """A label of RAGTruth on these words of a response."""
    start = response.index(words)
    return {
        "start": start,
        "end": start + len(words),
        "text": words,
        "meta": "why",
        "label_type": kind,
        "implicit_true": true_elsewhere,
        "due_to_null": False,
    }


def response(text: str, *labels: Mapping[str, object]) -> dict[str, object]:
    return {"response": text, "model": "a-model", "labels": labels}


TEA_INVENTED = "Black tea steeps for four minutes. It was invented in Lisbon by monks."
TEA_WRONG = "Green tea steeps for two hours."
LIBRARY_INVENTED = "The library opened in May. Critics adored its marble staircase."
RAGTRUTH: dict[str, list[dict[str, object]]] = {
    "qa": [
        {
            "source_id": 1,
            "source": {
                "question": "how long does tea steep",
                "passages": "passage 1:Black tea steeps for four minutes.\n\n"
                "passage 2:Green tea steeps for two minutes. It turns bitter after that.\n\n",
            },
            "responses": [
                response("Black tea steeps for four minutes."),
                response(
                    TEA_INVENTED,
                    marked(
                        TEA_INVENTED,
                        "It was invented in Lisbon by monks.",
                        "Evident Baseless Info",
                        true_elsewhere=True,
                    ),
                ),
                response(TEA_WRONG, marked(TEA_WRONG, "two hours", "Evident Conflict")),
            ],
        },
    ],
    "summary": [
        {
            "source_id": 4,
            "source": "The new library opened in May. It holds nine thousand books.",
            "responses": [
                response("The library opened in May and holds nine thousand books."),
                response(
                    LIBRARY_INVENTED,
                    marked(LIBRARY_INVENTED, "Critics adored its marble staircase.", "Subtle Baseless Info"),
                ),
            ],
        },
    ],
}
WICE: list[dict[str, object]] = [
    {
        "label": "supported",
        "supporting_sentences": [[1], [0, 2]],
        "claim": "The bridge was built in 1912.",
        "evidence": ["Bridges of the county", "The bridge was built in 1912.", "A toll was taken until 1950."],
        "meta": {"id": "c1", "claim_title": "Bridge"},
    },
    {
        "label": "partially_supported",
        "supporting_sentences": [[0]],
        "claim": "The bridge took tolls until 1950 and was painted green by volunteers.",
        "evidence": ["The bridge took tolls until 1950.", "Tickets are sold at the gate."],
        "meta": {"id": "c2", "claim_title": "Bridge"},
    },
    {
        "label": "not_supported",
        "supporting_sentences": [[]],
        "claim": "The mayor resigned over the scandal.",
        "evidence": ["Weather for the weekend.", "Rain is likely."],
        "meta": {"id": "c3", "claim_title": "Town"},
    },
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
    for name, sources in RAGTRUTH.items():
        write_jsonl(folder / "ragtruth" / f"{name}.jsonl", sources)
    write_jsonl(folder / "wice" / "claims.jsonl", WICE)
    return folder


@pytest.fixture
def bench(data: Path) -> Iterator[Workbench]:
    with workbench(data, Console(file=StringIO())) as opened:
        yield opened


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def write_jsonl(path: Path, records: Sequence[Mapping[str, object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
