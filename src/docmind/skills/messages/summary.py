"""The key sentences of a document: those nearest to what all of it is about, each about something else."""

import math
from collections.abc import Sequence

import numpy as np

from docmind.domain.search import Hit
from docmind.models.embedding import Embedder, Vectors
from docmind.quality.grounding import Grounder
from docmind.quality.units import UnitKind
from docmind.skills.extract.briefing import is_quotable
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import Statement, can_answer, read_statements

MOST_READ = 160
"""Sentences that are compared, evenly from the whole document."""
_SHORTEST, _LONGEST = 50, 320
"""Characters of a sentence that is worth quoting and quick to read."""
_ASKED = "What is the main point of {title}?"
_READ = 0.4
"""What counts for being what the reader marks in its passage as the answer to that."""
_TITLE = 0.2
"""What counts for being about what the title says."""
_REPEATING = 0.5
"""How much it counts against a sentence that it is like one chosen before."""


def key_sentences(
    hits: Sequence[Hit], embedder: Embedder, scorer: StatementScorer, grounder: Grounder, most: int
) -> list[Statement]:
    """At most so many sentences of one document, from all over it, in the order in which they stand there.

    `hits` are its passages in their order.
    """
    statements = [one for one in read_statements(hits) if can_answer(one) and not one.introduces]
    # Rows of tables are details; they tell what a document says that has nothing else.
    able = _spread([one for one in statements if _tells(one)] or [one for one in statements if one.lead is None])
    if not able:
        return []
    vectors = embedder.embed_passages([one.text for one in able])
    worth = _worth(able, vectors, hits[0].document.title, embedder, scorer)
    each = math.ceil(most / len({one.number for one in able}))
    chosen: list[int] = []
    left = set(range(len(able)))
    while left and len(chosen) < most:
        likeness = (vectors @ vectors[chosen].T).max(axis=1) if chosen else np.zeros(len(able))
        best = max(left, key=lambda at: (float(worth[at] - _REPEATING * likeness[at]), -at))
        left.remove(best)
        if is_quotable(able[best], hits, grounder):
            chosen.append(best)
        if sum(able[at].number == able[best].number for at in chosen) == each:
            left = {at for at in left if able[at].number != able[best].number}
    return [able[at] for at in sorted(chosen)]


def _worth(
    able: Sequence[Statement], vectors: Vectors, title: str, embedder: Embedder, scorer: StatementScorer
) -> Vectors:
    """How much each says of the whole: by its likeness to all sentences and to the title, and by the reader."""
    centre = vectors.mean(axis=0)
    central = vectors @ (centre / max(float(np.linalg.norm(centre)), 1e-9))
    scores = scorer.read(_ASKED.format(title=title), able).scores
    highest: dict[int, float] = {}
    for one in able:
        highest[one.number] = max(highest.get(one.number, 1e-9), scores[one])
    read = np.array([scores[one] / highest[one.number] for one in able], np.float32)
    worth: Vectors = central + _TITLE * (vectors @ embedder.embed_query(title)) + _READ * read
    return worth


def _tells(statement: Statement) -> bool:
    """Whether it is a sentence that says something alone and is worth quoting."""
    alone = statement.kind is not UnitKind.ROW and statement.lead is None and not statement.is_title
    return alone and _SHORTEST <= len(statement.text) <= _LONGEST and not statement.text[0].islower()


def _spread(statements: Sequence[Statement]) -> list[Statement]:
    step = max(1.0, len(statements) / MOST_READ)
    return [statements[int(at * step)] for at in range(int(len(statements) / step))]
