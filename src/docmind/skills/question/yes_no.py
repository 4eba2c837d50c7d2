"""Whether a question asks for yes or no, by a model of its words that `scripts/fit_yes_no.py` fits."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise

ASKED = 0.5
"""The probability from which on yes or no is taken as asked for."""
_TOKEN = re.compile(r"\w+(?:['’]\w+)?|[.,;:?!–—]")
_MARKS = frozenset(".,;:?!–—")


def asks_yes_or_no(question: str) -> bool:
    weights = _shipped()
    weighed = weights[""] + sum(weights.get(name, 0.0) for name in features(question))
    return 1 / (1 + math.exp(-weighed)) >= ASKED


def features(question: str) -> frozenset[str]:
    """Words and pairs of words, those that begin a clause told apart, and how the first and last clause begin."""
    tokens = [token.lower().replace("’", "'") for token in _TOKEN.findall(question)]
    begins = [word for before, word in pairwise([".", *tokens]) if before in _MARKS and word not in _MARKS]
    return frozenset(
        (*_words(tokens), *(f"first {word}" for word in begins[:1]), *(f"last {word}" for word in begins[-1:]))
    )


def _words(tokens: list[str]) -> Iterator[str]:
    for before, word, following in zip([".", *tokens], tokens, [*tokens[1:], "end"], strict=False):
        if word in _MARKS:
            continue
        yield word
        yield f"{word} {following}"
        if before in _MARKS:
            yield f"begins {word}"
            yield f"begins {word} {following}"


@cache
def _shipped() -> Mapping[str, float]:
    """The weight of each feature; the empty name is the intercept."""
    fitted: dict[str, float] = json.loads(files(__package__).joinpath("yes_no.json").read_text(encoding="utf-8"))
    return fitted
