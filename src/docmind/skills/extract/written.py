"""How likely an answer is right that a chat model wrote: by what the reader makes of the question and the passages.

That the passages bear out what was written says little of that: a sentence can be true and answer something else.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean

from docmind.domain.search import Hit
from docmind.quality.citations import find
from docmind.quality.grounding.copies import written
from docmind.skills.extract.answer_model import clipped, logistic, logit
from docmind.skills.extract.statement_scorer import SURE, Reading, StatementScorer
from docmind.skills.extract.statements import read_statements
from docmind.skills.judge import UNLIKELY
from docmind.skills.question import questions

_FOUND = 0.5
"""How sure the reader must be of an answer, so that another one is none."""
_FAR = 8.0
"""How far an answer is behind the best passage that cites none that was read."""


def probability_right(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> float:
    """Of an answer that cites the hits by their places from 1 or their ids; the mean over all that is asked."""
    return fmean(logistic(_fitted(), signals(one.alone, text, hits, scorer)) for one in questions(question))


def answers_something_else(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> bool:
    """Whether the reader finds an answer to something that is asked and the text, however true, is unlikely to be one.

    Of what the reader finds no answer to, such as what should be done, nothing is said.
    """
    asked = [one.alone for one in questions(question)]
    found = [one for one in asked if scorer.read(one, read_statements(hits)).confidence >= _FOUND]
    return bool(found) and all(logistic(_fitted(), signals(one, text, hits, scorer)) < UNLIKELY for one in found)


def signals(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> dict[str, float]:
    """What speaks for an answer being right, by name; `behind` is by how much the best passage answers rather than any
    that is cited."""
    reading = scorer.read(question, read_statements(hits))
    named = {marker.target.lower() for marker in find(text)}
    cited = {hit.passage for place, hit in enumerate(hits, start=1) if named & {str(place), hit.passage.id.lower()}}
    scores = {passage: told.score for passage, told in reading.bare.items()}
    best = max(scores.values(), default=0.0)
    return {
        "reading": clipped(logit(reading.confidence)),
        "behind": clipped(best - max((scores[passage] for passage in cited & scores.keys()), default=best - _FAR)),
        "agrees": float(_agrees(text, reading)),
    }


def _agrees(text: str, reading: Reading) -> bool:
    """Whether it says what the reader would answer: yes or no at its beginning, or the bare answer anywhere."""
    said = written(text)
    if max(reading.yes, reading.no) >= SURE:
        return said.startswith("yes" if reading.yes >= reading.no else "no")
    bare = written(reading.answer)
    return bool(bare) and bare in said


@cache
def _fitted() -> Mapping[str, float]:
    """Made by `scripts/fit_drafts.py`."""
    held = json.loads(files("docmind.skills").joinpath("drafting.json").read_text(encoding="utf-8"))
    weights: Mapping[str, float] = held["right"]
    return weights
