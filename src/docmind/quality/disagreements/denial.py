"""Which words of a sentence are denied, double denials and idle ones ("not only") considered."""

from collections.abc import Iterator, Sequence

from docmind.quality.disagreements.words import Word
from docmind.quality.quantities.tokens import vocabulary

_CUES = vocabulary(
    "not no never cannot nor neither without non fail fails failed failing refuse refuses refused deny denies "
    "denied denying"
)
_IDLE_BEFORE = vocabulary(
    "only just merely simply solely necessarily least doubt matter mention all every everyone always exactly entirely "
    "alone wonder surprise other"
)
"""After "not" or "no" these limit or stress: "not only", "no doubt", "not necessarily"."""
_IDLE_AFTER = vocabulary("or if whether why")
_BEYOND_SAYING = vocabulary("overstated overestimated underestimated understated overemphasized exaggerated")
_SCOPE = 6
"""Words after a cue within which the denied word is looked for."""


def denied_words(words: Sequence[Word]) -> dict[int, int]:
    """The words under an odd number of denials, each with the place of the cue that denies it."""
    cues = {place: place for place, word in enumerate(words) if word.negated}
    for index, word in enumerate(words):
        if is_cue(word) and not _is_idle(words, index):
            for place in _scope(words, index):
                if cues.pop(place, None) is None:
                    cues[place] = index
    return cues


def is_cue(word: Word) -> bool:
    return word.lower in _CUES or word.lower.endswith("n't")


def _is_idle(words: Sequence[Word], index: int) -> bool:
    """Whether a cue denies nothing here: "not only", "whether or not", "no later than", "cannot be overstated"."""
    following = [word.lower for word in words[index + 1 : index + 1 + _SCOPE]]
    if not following or following[0] in _IDLE_BEFORE or (index and words[index - 1].lower in _IDLE_AFTER):
        return True
    if following[1:2] in (["than"], ["too"]) or "until" in following:
        return True
    return not _BEYOND_SAYING.isdisjoint(following)


def _scope(words: Sequence[Word], cue: int) -> Iterator[int]:
    """The first meaningful word after a cue, with the adverbs ("no longer" is one) and cues before it."""
    for place in range(cue + 1, min(cue + 1 + _SCOPE, len(words))):
        word = words[place]
        if word.stops:
            return
        if word.carries:
            yield place
            if not (word.lower.endswith("ly") or word.lower == "longer" or is_cue(word)):
                return
