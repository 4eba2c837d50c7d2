"""Checks the questions on filings: `check_filings.py [QUESTIONS] [--filings PDFS]`.

Fields are as data/filings/README.md says, and each question's own answer is right by its own lists. Where the folder of
the filings is given, every quote stands on its page, white space aside.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2

from docmind.bench.finance.filings_scoring import is_right
from docmind.bench.finance.filings_set import Half, Kind, read_questions

QUESTIONS = Path(__file__).parent.parent / "data" / "filings"
FIELDS = (
    "id", "filings", "question", "kind", "answer", "short", "value", "unit", "tolerance", "must", "must_not",
    "evidence",
)  # fmt: skip
Row = dict[str, Any]
PageText = Callable[[str, int], str | None]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", type=Path, nargs="?", default=QUESTIONS)
    parser.add_argument("--filings", type=Path)
    arguments = parser.parse_args()
    found = list(problems(arguments.questions, arguments.filings))
    print(f"{len(found)} problems", *found, sep="\n")
    sys.exit(bool(found))


def problems(folder: Path, filings: Path | None) -> Iterator[str]:
    """What is wrong, a sentence each."""
    ids: Counter[str] = Counter()
    text = pages_of(filings) if filings else None
    # Those that take quarterly reports may be left out.
    always = (Half.DESIGN, Half.KEPT)
    for half in (one for one in Half if one in always or (folder / f"{one}.jsonl").is_file()):
        lines = (folder / f"{half}.jsonl").read_text("utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        badly_formed = [f"{row.get('id')}: {fault}" for row in rows for fault in faults(row)]
        yield from badly_formed
        if not badly_formed:
            yield from _wrong_by_own_lists(folder, half, rows)
        ids.update(row["id"] for row in rows)
        if text:
            yield from (problem for row in rows for problem in _misquoted(row, text))
    yield from (f"{name} stands there twice." for name, count in ids.items() if count > 1)


def faults(row: Row) -> Iterator[str]:
    """What is wrong with the form of one question."""
    if tuple(row) != FIELDS:
        yield f"its fields are {', '.join(row)}."
        return
    if row["kind"] not in list(Kind):
        yield f"there is no kind {row['kind']}."
    if (row["value"] is None) != (row["tolerance"] is None) or (row["value"] is not None and not row["unit"]):
        yield "value, unit and tolerance do not go together."
    if row["kind"] == Kind.UNANSWERABLE:
        if row["must"] or row["value"] is not None:
            yield "it is unanswerable and has an answer."
    elif not row["must"] or {one["filing"] for one in row["evidence"]} != set(row["filings"]):
        yield "nothing must be said, or its evidence is not from its filings."


def _wrong_by_own_lists(folder: Path, half: Half, rows: list[Row]) -> Iterator[str]:
    for question, row in zip(read_questions(folder, half), rows, strict=True):
        if question.answerable and not is_right(question, f"{row['answer']} {row['short']}"):
            yield f"{question.id}: its own answer is not right by its lists."


def _misquoted(row: Row, text: PageText) -> Iterator[str]:
    for one in row["evidence"]:
        page = text(one["filing"], one["page"])
        if page is not None and _squeezed(one["quote"]) not in page:
            yield f"{row['id']}: page {one['page']} of {one['filing']} does not say {one['quote'][:60]!r}."


def pages_of(filings: Path) -> PageText:
    """The text of a page without white space; none where that filing is not at hand."""

    @cache
    def pdf(name: str) -> pypdfium2.PdfDocument | None:
        return pypdfium2.PdfDocument(filings / name) if (filings / name).is_file() else None

    @cache
    def text(name: str, page: int) -> str | None:
        opened = pdf(name)
        if opened is None:
            return None
        return _squeezed(opened[page - 1].get_textpage().get_text_range()) if 0 < page <= len(opened) else ""

    return text


def _squeezed(text: str) -> str:
    return "".join(text.split())


if __name__ == "__main__":
    main()
