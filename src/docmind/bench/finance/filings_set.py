"""Analysts' questions on real filings, `data/filings`: what a right answer says, and on which pages it stands."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from docmind.domain.errors import BenchError
from docmind.quality.quantities import Quantity, read_quantities

_SCALES = frozenset(("thousand", "million", "billion"))


class Half(StrEnum):
    """What the questions may be used for."""

    DESIGN = "design"
    KEPT = "kept"
    """To report on; nothing is fitted, chosen or read there."""
    QUARTERS = "quarters"
    """Quarterly reports, asked where these are in the folder; one company's questions there are not read either."""
    LATER = "later"
    """Written later on the filings of design and quarters, before they were asked: nothing is fitted there."""
    SEVERAL = "several"
    """On several companies, periods or filings each, on the same filings: failures may be read, nothing is fitted."""


BESIDE_QUARTERLY_REPORTS = (Half.QUARTERS, Half.LATER, Half.SEVERAL)
"""Those that need the quarterly reports."""
UNREAD = ("nvidia",)
"""Companies of the quarterly reports whose questions are only reported on."""


class Kind(StrEnum):
    """What a question takes to answer."""

    LOOKUP = "lookup"
    CALCULATION = "calculation"
    COMPARISON = "comparison"
    SEVERAL = "several"
    WORDS = "words"
    CHART = "chart"
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a filing, counted from 1."""

    filing: str
    number: int


@dataclass(frozen=True, slots=True)
class FilingQuestion:
    id: str
    text: str
    kind: Kind
    short: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]
    value: Quantity | None
    """The number that is wanted, where one is."""
    tolerance: float
    """How far from it an answer may be, as a share of it."""
    quotes: tuple[str, ...]
    pages: frozenset[Page]
    """Where the evidence stands."""

    @property
    def company(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def answerable(self) -> bool:
        return self.kind is not Kind.UNANSWERABLE


def read_questions(folder: Path, half: Half) -> list[FilingQuestion]:
    path = folder / f"{half}.jsonl"
    if not path.is_file():
        raise BenchError(f"The file {path} is not there: copy it from data/filings of the project.")
    return [_question(json.loads(line)) for line in path.read_text("utf-8").splitlines() if line.strip()]


def halves_in(folder: Path) -> list[Half]:
    """The parts that can be asked there: those on quarterly reports only beside the reports."""
    return [Half.DESIGN, Half.KEPT, *(half for half in BESIDE_QUARTERLY_REPORTS if _is_at_hand(folder, half))]


def _is_at_hand(folder: Path, half: Half) -> bool:
    path = folder / f"{half}.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []
    named = {name for row in rows for name in row["filings"]}
    return bool(named) and all((folder / name).is_file() for name in named)


def fitted_questions(folder: Path) -> list[FilingQuestion]:
    """Those that failures may be read of, and fits made on."""
    halves = [half for half in halves_in(folder) if half in (Half.DESIGN, Half.QUARTERS)]
    questions = [one for half in halves for one in read_questions(folder, half)]
    return [one for one in questions if one.company not in UNREAD]


def filings_in(folder: Path) -> Sequence[Path]:
    found = sorted(folder.glob("*.pdf"))
    if not found:
        raise BenchError(f"There are no filings (PDF) in {folder}.")
    return found


def _question(row: dict[str, Any]) -> FilingQuestion:
    return FilingQuestion(
        row["id"],
        row["question"],
        Kind(row["kind"]),
        row["short"],
        tuple(row["must"]),
        tuple(row["must_not"]),
        None if row["value"] is None else quantity(row["value"], row["unit"]),
        row["tolerance"] or 0.0,
        tuple(one["quote"] for one in row["evidence"]),
        frozenset(Page(one["filing"], one["page"]) for one in row["evidence"]),
    )


def quantity(value: float, unit: str) -> Quantity:
    """A number in a unit such as `USD million`, `shares million` or `basis points`, read as an answer is read."""
    words = unit.split()
    currency = [word for word in words if word.isupper()]
    scale = [word for word in words if word in _SCALES]
    rest = [word for word in words if word not in (*currency, *scale)]
    [found, *_] = read_quantities(" ".join((*currency, f"{value:f}".rstrip("0").rstrip("."), *scale, *rest)))
    return found
