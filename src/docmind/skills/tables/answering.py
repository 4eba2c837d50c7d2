"""An answer computed from a table of the passages, with how likely it is right."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from docmind.domain.search import Hit
from docmind.skills.extract.reading import Reading, clipped, logistic, logit
from docmind.skills.tables.ranker import Choice, Ranker
from docmind.skills.tables.table import read_tables
from docmind.skills.tables.wording import write


@dataclass(frozen=True, slots=True)
class TableAnswer:
    text: str
    confidence: float


@lru_cache(maxsize=1)
def _ranker() -> Ranker:
    return Ranker()


@lru_cache(maxsize=1)
def _right() -> Mapping[str, float]:
    """A logistic model of a computed answer being right, fitted by `scripts/fit_tables.py`."""
    fitted: Mapping[str, float] = json.loads(files("docmind.skills.tables").joinpath("right.json").read_text("utf-8"))
    return fitted


def computes(question: str) -> bool:
    """Whether the question may ask for something that is computed from a table."""
    return _ranker().computes(question)


def answer_from_tables(question: str, hits: Sequence[Hit], reading: Reading) -> TableAnswer | None:
    """What the best program over the tables of the hits gives; none where nothing is to be computed."""
    if all(hit.passage.kind != "table" for hit in hits) or not computes(question):
        return None
    choice = _ranker().choose(question, read_tables(hits))
    text = write(choice.program) if choice else ""
    if choice is None or not text:
        return None
    return TableAnswer(text, logistic(_right(), signals(choice, reading)))


def signals(choice: Choice, reading: Reading) -> dict[str, float]:
    """What speaks for the chosen program giving the right answer, by name."""
    read = [reading.passages[hit.passage] for hit in choice.program.table.hits if hit.passage in reading.passages]
    return {
        "program": clipped(logit(choice.likely)),
        "reader": clipped(logit(reading.confidence)),
        "passage": clipped(logit(max(read, default=0.01))),
    }
