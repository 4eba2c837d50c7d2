"""What `docmind bench filings` fails on, question by question, in the half that failures may be read of.

    python scripts/filings_failures.py DATA STORE FAILURES

DATA is the folder of the sets, with `filings` below it. STORE is a folder that keeps the filings once they were
ingested, which takes most of the time. FAILURES becomes a file with a JSON object a line: the question, what was wanted
and answered, where the evidence stands in the search, and what each step decided and why. The rows of that half are
printed.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from docmind.bench.finance.filings_set import Half, Page, read_questions
from docmind.bench.report import table_of
from docmind.bench.tasks.filings import FilingAnswer, SearchBaseline, ask, ingest, rows_for, search
from docmind.bench.workbench import open_engine, workbench

EMBEDDER = "minilm"


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("data", "store", "failures"):
        parser.add_argument(name, type=Path)
    arguments = parser.parse_args()
    console = Console()
    with workbench(arguments.data, console) as bench:
        folder = bench.dataset("filings")
        questions = read_questions(folder, Half.DESIGN)
        ingest(bench, folder, arguments.store, EMBEDDER)
        with open_engine(arguments.store, EMBEDDER) as engine:
            asked, found = ask(bench, engine, questions), search(bench, engine, questions)
    lines = (json.dumps(record, ensure_ascii=False) for record in failures(asked, found))
    arguments.failures.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    console.print(table_of(rows_for(Half.DESIGN, asked, found)))


def failures(asked: list[FilingAnswer], found: list[SearchBaseline]) -> Iterator[dict[str, Any]]:
    """Answers that are not right, refusals, and answers to what is not disclosed."""
    for one, beside in zip(asked, found, strict=True):
        if one.right or not (one.answered or one.question.answerable):
            continue
        question = one.question
        yield {
            "id": question.id,
            "kind": question.kind,
            "question": question.text,
            "wanted": question.short,
            "failing": one.failing,
            "confidence": one.confidence,
            "answer": one.answer,
            "pages_wanted": sorted(map(_named, question.pages)),
            "pages_cited": sorted(map(_named, one.cited)),
            "evidence_found_at": beside.evidence,
            "trace": [event.model_dump(include={"node", "decision", "reason", "detail"}) for event in one.trace],
        }


def _named(page: Page) -> str:
    return f"{page.filing}, page {page.number}"


if __name__ == "__main__":
    main()
