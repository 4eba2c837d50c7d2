"""An answer computed from a table of the passages, with how likely it is right."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from docmind.domain.search import Hit
from docmind.skills.tables.ranker import Answers, Ranker
from docmind.skills.tables.table import read_tables
from docmind.skills.tables.wording import write

LEAST = 0.5
"""How likely a computed answer must be right to be given."""


@dataclass(frozen=True, slots=True)
class TableAnswer:
    text: str
    confidence: float
    """That it is right."""


@lru_cache(maxsize=1)
def _ranker() -> Ranker:
    return Ranker()


def computes(question: str) -> bool:
    """Whether the question may ask for something that is computed from a table."""
    return _ranker().computes(question)


def answer_from_tables(question: str, hits: Sequence[Hit], answers: Answers) -> TableAnswer | None:
    """What the best program over the tables of the hits gives; none where nothing is to be computed.

    `answers` tells how far a text answers a question: it is shown what the likeliest programs come to.
    """
    if all(hit.passage.kind != "table" for hit in hits) or not computes(question):
        return None
    choice = _ranker().choose(question, read_tables(hits), answers)
    text = write(choice.program) if choice and choice.right >= LEAST else ""
    return TableAnswer(text, choice.right) if choice and text else None
