"""Chooses the sentences that a claim of the public sets is set beside."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

WINDOW_CHARS = 1500
"""What the encoder was trained on at most; half of it is judged nearly as well in half the time."""

_WORD = re.compile(r"[^\W_]{2,40}+")


def select(claim: str, sentences: Sequence[str], *, limit: int = WINDOW_CHARS) -> list[int]:
    """The places of the sentences that share the most telling words with the claim, in reading order.

    A word tells more the fewer of the sentences hold it. Sentences are taken while they fit into `limit` characters,
    the best one always.
    """
    held = [frozenset(_words(sentence)) for sentence in sentences]
    spread = Counter(word for words in held for word in words)
    asked = sorted(frozenset(_words(claim)))
    weight = {word: log(1 + len(sentences) / spread[word]) for word in asked if word in spread}
    scores = [sum(weight[word] for word in weight if word in words) for words in held]
    chosen: list[int] = []
    left = limit
    for place in sorted(range(len(sentences)), key=lambda place: (-scores[place], place)):
        if not chosen or len(sentences[place]) < left:
            chosen.append(place)
            left -= len(sentences[place]) + 1
    return sorted(chosen)


def window(claim: str, sentences: Sequence[str], *, limit: int = WINDOW_CHARS) -> str:
    """The chosen sentences as one text."""
    return " ".join(sentences[place] for place in select(claim, sentences, limit=limit))


def _words(text: str) -> list[str]:
    return [word[:6] for word in _WORD.findall(text.lower())]
