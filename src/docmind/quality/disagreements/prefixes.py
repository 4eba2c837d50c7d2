"""Words that deny another one by their first syllable: unaffected, insufficient, disagree."""

from docmind.quality.quantities.tokens import vocabulary

_AFFIRMED = {
    "in": vocabulary(
        "accurate accurately active adequate appropriate complete consistent correct correctly direct directly "
        "effective efficient eligible formal frequent frequently significant significantly sufficient valid visible"
    ),
    "im": vocabulary("mature moral perfect possible practical probable proper"),
    "il": vocabulary("legal legally legible logical"),
    "ir": vocabulary("regular relevant responsible reversible"),
    "dis": vocabulary("agree agrees agreed agreement allow allowed approve approved honest obey satisfied similar"),
}
"""Listed, because most words that begin with these syllables deny nothing: include, impact, discover."""
_DENYING = {prefix + word: word for prefix, words in _AFFIRMED.items() for word in words}
_NOT_DENYING = vocabulary("unless unlike union unions unveil uncover unearth unleash unfold unravel")
_SHORTEST = 6


def affirmative(word: str) -> str | None:
    """The word that a denying syllable stands before: "affected" for "unaffected"; none where there is none.

    Of a word such as "until" it gives no word at all, which does no harm: it does so in every sentence.
    """
    if word.startswith("un") and len(word) >= _SHORTEST and word not in _NOT_DENYING:
        return word[2:]
    return _DENYING.get(word)
