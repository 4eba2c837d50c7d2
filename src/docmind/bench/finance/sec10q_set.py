"""SEC-10-Q: questions on the quarterly reports of large companies, with the reports and the figures of the answer."""

import csv
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatch
from pathlib import Path

from docmind.bench.labelled import LabelledSet
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError
from docmind.quality.quantities import Quantity, agrees, read_quantities
from docmind.quality.quantities.quantity import Agreement
from docmind.skills.finance.wording.response_check import without_formulas

_UNITS = ("money", "percent", "point", "times", "")
_SCALES = (Decimal(1), Decimal(10) ** 3, Decimal(10) ** 6)
SMALLEST = Decimal(10)
"""Bare numbers below it count points of a list, quarters and notes."""


@dataclass(frozen=True, slots=True)
class Sec10QQuestion:
    """A question, the reports that answer it, and the figures of the answer."""

    text: str
    reports: frozenset[str]
    figures: tuple[Quantity, ...]
    is_on_one_figure: bool
    """Whether one passage of one report answers it."""


@dataclass(frozen=True, slots=True)
class Reports:
    labelled: LabelledSet
    questions: tuple[Sec10QQuestion, ...]


def sec10q(bench: Workbench, companies: int) -> Reports:
    """The questions on the first companies by the name of their ticker, and the reports of these."""
    source = bench.dataset("sec-10q")
    if not (source / "questions.csv").is_file():
        raise BenchError(f"The file {source / 'questions.csv'} is not there: unpack the set 'sec-10q' again.")
    files = sorted((source / "docs").glob("*.pdf"))
    tickers = sorted({path.stem.rpartition(" ")[2] for path in files})[:companies]
    chosen = [path for path in files if path.stem.endswith(tuple(tickers))]
    folder = bench.once("sec-10q files", lambda: _copied(bench, chosen))
    with (source / "questions.csv").open(encoding="utf-8", newline="") as file:
        asked = [_asked(row, [path.stem for path in files]) for row in csv.DictReader(file)]
    names = {path.stem for path in chosen}
    return Reports(LabelledSet("sec-10q", folder, ()), tuple(one for one in asked if one.reports <= names))


def figures_in(text: str) -> tuple[Quantity, ...]:
    """The figures that an answer tells, each once."""
    found: list[Quantity] = []
    for one in read_quantities(without_formulas(text)):
        bare = one.bare and abs(one.value) < SMALLEST
        if one.unit in _UNITS and not one.counted and not bare and not any(tells(one, other) for other in found):
            found.append(one)
    return tuple(found)


def tells(said: Quantity, wanted: Quantity) -> bool:
    """Whether a figure is the one that is wanted; the sign may be said in words, the scale above a table."""
    scales = _SCALES if said.bare else _SCALES[:1]
    return any(agrees(said.size.times(scale), wanted.size) is Agreement.AGREE for scale in scales)


def _copied(bench: Workbench, paths: Sequence[Path]) -> Path:
    folder = bench.scratch / "sec-10q"
    folder.mkdir()
    for path in paths:
        shutil.copy(path, folder / path.name)
    return folder


def _asked(row: dict[str, str], names: Sequence[str]) -> Sec10QQuestion:
    reports = frozenset(name for name in names if fnmatch(name, row["Source Docs"]))
    answer = row["Answer"].partition("SOURCE")[0]
    return Sec10QQuestion(row["Question"].strip(), reports, figures_in(answer), "Single-Chunk" in row["Question Type"])
