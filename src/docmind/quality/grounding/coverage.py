"""How much of a claim its evidence holds, word by word, and which sentences hold it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docmind.models.embedding import Vectors
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.evidence import Evidence
from docmind.quality.grounding.initialisms import written_out
from docmind.quality.grounding.words import Word, is_discourse, words

UNRELATED = 0.3
SYNONYM = 0.8
"""Words less alike than the first say different things; words more alike than the second say the same."""
MAX_QUOTES = 3
"""A claim that needs more sentences than this was not taken from them."""
_WORTH_ADDING = 0.3
"""A further sentence is quoted for what it adds when that is at least a third of a word."""
_MOSTLY = 0.8
_CLAUSE_MARK = re.compile(r"[,;:()—–]|\b(?:and|but|while|which|who|whereas|although)\b")
_CLAUSE_WORDS = 3


@dataclass(frozen=True, slots=True)
class Coverage:
    """A claim laid over its evidence."""

    words: tuple[Word, ...]
    weights: Vectors
    by_sentence: Vectors
    """For each sentence of the evidence and each word, how much of the word the sentence holds, 0 to 1."""
    anywhere: Vectors
    """For each word the most that any sentence holds of it."""
    chosen: tuple[int, ...]
    """The sentences that together hold the most, the best first."""
    clauses: tuple[tuple[int, ...], ...]
    """The words of each part of the claim that could stand alone."""


def lay(claim: str, evidence: Evidence, vectors: WordVectors, given: Collection[str] = ()) -> Coverage:
    """The claim laid over the evidence. `given` are keys that need no evidence: what was asked may be said again."""
    claimed = tuple(word for word in words(claim) if not is_discourse(word) or word.key in evidence.places)
    meanings, weights = vectors.look_up([word.text.lower() for word in claimed])
    exact = np.array([word.is_number or word.is_name for word in claimed], dtype=bool)
    near = evidence.nearness(claimed, meanings, exact)
    held = np.clip((near - UNRELATED) / (SYNONYM - UNRELATED), 0.0, 1.0)
    for initials, named in written_out(claim, claimed):
        if sentences := evidence.called_for_short.get(initials):
            held[np.ix_(sentences, named)] = 1.0
    held[:, _given(claimed, weights, given, evidence.places)] = 1.0
    anywhere = held.max(axis=0) if len(held) else np.zeros(len(claimed), dtype=np.float32)
    return Coverage(claimed, weights, held, anywhere, _choose(held, weights), _clauses(claim, claimed))


def _given(claimed: tuple[Word, ...], weights: Vectors, given: Collection[str], stated: Collection[str]) -> list[int]:
    """Words that were asked about; numbers never, full names only where the evidence has a part of one: what is said of
    an employee is not said of the one who was asked about. None at all where the claim says little else than numbers
    beside them, for then it is answered with the question itself, which may rest on a false premise."""
    telling = [place for place, word in enumerate(claimed) if not word.is_number]
    places = [place for place in telling if claimed[place].key in given]
    names = {place for before, place in pairwise(places) for place in _full_name(claimed, before, place)}
    if not any(claimed[place].key in stated for place in names):
        places = [place for place in places if place not in names]
    return places if weights[places].sum() <= _MOSTLY * weights[telling].sum() else []


def _full_name(claimed: tuple[Word, ...], before: int, place: int) -> tuple[int, ...]:
    """Two capitalised words beside each other."""
    first, second = claimed[before], claimed[place]
    beside = second.span.start == first.span.end + 1
    return (before, place) if beside and first.is_capitalised and second.is_capitalised else ()


def _choose(held: Vectors, weights: Vectors) -> tuple[int, ...]:
    """Sentences one after the other, each for what it adds most to those before it."""
    if not held.size:
        return ()
    chosen: list[int] = []
    so_far = np.zeros(held.shape[1], dtype=np.float32)
    while len(chosen) < MAX_QUOTES:
        gains = (np.maximum(held, so_far) - so_far) @ weights
        best = int(gains.argmax())
        if gains[best] <= (_WORTH_ADDING if chosen else 0.0):
            break
        chosen.append(best)
        so_far = np.maximum(so_far, held[best])
    return tuple(chosen)


def _clauses(claim: str, claimed: tuple[Word, ...]) -> tuple[tuple[int, ...], ...]:
    """Parts between commas, conjunctions and brackets; one too short to say anything belongs to the part before it."""
    marks = [match.start() for match in _CLAUSE_MARK.finditer(claim)]
    parts: list[list[int]] = [[]]
    mark = 0
    for place, word in enumerate(claimed):
        while mark < len(marks) and marks[mark] < word.span.start:
            mark += 1
            if len(parts[-1]) >= _CLAUSE_WORDS:
                parts.append([])
        parts[-1].append(place)
    if len(parts) > 1 and len(parts[-1]) < _CLAUSE_WORDS:
        last = parts.pop()
        parts[-1] += last
    return tuple(tuple(part) for part in parts if part)
