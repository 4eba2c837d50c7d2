"""Whether two names may be one: spelled otherwise, inflected, shortened to initials, or with a title."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from docmind.quality.disagreements.words import Word
from docmind.quality.quantities.tokens import vocabulary

_TITLES = vocabulary(
    "mr mrs ms dr prof professor sir lord lady president king queen prince princess senator governor general captain "
    "chancellor minister judge pope saint st mount lake river"
)
_NUMERALS = vocabulary("i ii iii iv v vi vii viii ix x")
_KIN = 0.6
"""Share of letters in common from which two names may be one."""
_COMPARED = 30
"""Letters of a name that are compared."""


def may_be_one_name(a: Sequence[Word], b: Sequence[Word]) -> bool:
    if any(word.lower in _TITLES for word in (*a, *b)):
        return True
    one, other = (_folded("".join(map(_bare, words))) for words in (a, b))
    if one == _initials(b) or other == _initials(a):
        return True
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _KIN


def _bare(word: Word) -> str:
    return word.lower.removesuffix("'s")


def _initials(words: Sequence[Word]) -> str:
    return _folded("".join(_bare(word) if _bare(word) in _NUMERALS else word.lower[0] for word in words))


def _folded(text: str) -> str:
    """Without accents."""
    letters = unicodedata.normalize("NFKD", text[:_COMPARED])
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
