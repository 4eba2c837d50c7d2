"""How near a text comes to the one that a person wrote: BLEU over a whole set, ROUGE-L text by text."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

_TOKEN = re.compile(r"\w++(?:['’]\w++)?+|[^\w\s]")
_LONGEST_GRAM = 4


def bleu(pairs: Iterable[tuple[str, str]]) -> float:
    """Corpus BLEU of texts against the one wanted for each: runs of one to four words, with a penalty for brevity."""
    matched, made = [0] * _LONGEST_GRAM, [0] * _LONGEST_GRAM
    said_length = wanted_length = 0
    for said, wanted in pairs:
        ours, theirs = _tokens(said), _tokens(wanted)
        said_length, wanted_length = said_length + len(ours), wanted_length + len(theirs)
        for size in range(1, _LONGEST_GRAM + 1):
            grams = _grams(ours, size)
            matched[size - 1] += (grams & _grams(theirs, size)).total()
            made[size - 1] += grams.total()
    if not all(matched):
        return 0.0
    precision = math.exp(sum(math.log(hit / of) for hit, of in zip(matched, made, strict=True)) / _LONGEST_GRAM)
    return precision * min(1.0, math.exp(1 - wanted_length / said_length))


def rouge_l(said: str, wanted: str) -> float:
    """F1 of the longest run of words that both have in the same order, gaps allowed."""
    ours, theirs = _tokens(said), _tokens(wanted)
    return 2 * _common(ours, theirs) / (len(ours) + len(theirs)) if ours and theirs else 0.0


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    lengths = [0] * (len(theirs) + 1)
    for word in ours:
        before = 0
        for place, other in enumerate(theirs, start=1):
            above = lengths[place]
            lengths[place] = before + 1 if word == other else max(above, lengths[place - 1])
            before = above
    return lengths[-1]


def _grams(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def _tokens(text: str) -> list[str]:
    """Words and marks, in small letters: how a rewrite is capitalised is a matter of taste."""
    return [token.replace("’", "'") for token in _TOKEN.findall(text.lower())]
