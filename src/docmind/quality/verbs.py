"""Whether a run of words asserts something of its own, as far as its verbs tell without a parser."""

from collections.abc import Sequence

AUXILIARIES = frozenset({
    "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "has", "have", "had", "hasn't", "haven't",
    "will", "won't", "would", "can", "cannot", "can't", "could", "may", "might", "must", "shall", "should", "do",
    "does", "did", "don't", "doesn't", "didn't",
})  # fmt: skip
_FINITE = AUXILIARIES | frozenset({
    "became", "becomes", "began", "begins", "bought", "brought", "came", "comes", "costs", "cut", "dropped", "earns",
    "exceeds", "fell", "falls", "gave", "gives", "gets", "goes", "got", "grew", "grows", "held", "helps", "hit",
    "holds", "includes", "kept", "keeps", "knew", "led", "leads", "left", "lost", "loses", "made", "makes", "means",
    "met", "needs", "offers", "owns", "paid", "pays", "ran", "remains", "requires", "rises", "rose", "runs", "said",
    "saw", "says", "sells", "sent", "shows", "sold", "spent", "stands", "states", "suggests", "takes", "told",
    "took", "uses", "went", "won", "works", "wrote",
})  # fmt: skip
_BEFORE_PARTICIPLES = frozenset({
    "a", "an", "and", "any", "as", "by", "for", "in", "more", "no", "not", "of", "on", "or", "other", "the", "their",
    "these", "this", "to", "with",
})  # fmt: skip
"""After these a word in -ed describes: "of related costs", "as planned"."""


def has_verb(words: Sequence[str]) -> bool:
    """Whether one of these small-letter words is a finite verb; one at the very start makes no sentence of its own."""
    return any(
        word in _FINITE or (word.endswith("ed") and len(word) > 4 and words[n] not in _BEFORE_PARTICIPLES)
        for n, word in enumerate(words[1:])
    )
