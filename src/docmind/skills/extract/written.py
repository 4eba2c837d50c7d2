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
from docmind.skills.extract.reading import SURE, Reading, StatementScorer
from docmind.skills.extract.statements import read_statements
from docmind.skills.question import questions

_FAR = 8.0
"""How far an answer is behind the best passage that cites none that was read."""


def probability_right(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> float:
    """Of an answer that cites the hits by their places from 1; where several things are asked, the mean over these."""
    return fmean(logistic(_fitted(), signals(one.alone, text, hits, scorer)) for one in questions(question))


def signals(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> dict[str, float]:
    """What speaks for an answer being right, by name; `behind` is by how much the best passage answers rather than any
    that is cited."""
    reading = scorer.read(question, read_statements(hits))
    places = (int(marker.target) for marker in find(text) if marker.target.isdecimal())
    cited = {hits[place - 1].passage for place in places if 1 <= place <= len(hits)}
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
    held = json.loads(files("docmind.skills.extract").joinpath("written.json").read_text(encoding="utf-8"))
    weights: Mapping[str, float] = held["right"]
    return weights
