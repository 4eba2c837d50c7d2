"""The words of a sentence, each with its place and the key that its inflected forms share."""

import re
import unicodedata
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.disagreements.prefixes import affirmative
from docmind.quality.forms import base_form
from docmind.quality.quantities.tokens import vocabulary

# Letters with the accents that follow them, digits with their separators, and the marks that end a statement.
_WORD = re.compile(r"[^\W_][\w\u0300-\u036f]*+(?:['’][^\W_]++|[.,][0-9]++)*+|[.!?;|](?=\s|$)")
_STOPS = frozenset(".!?;|")
_FUNCTION = vocabulary(
    "a an the this that these those it its he she they them his her their we our us you your i my me him who whom "
    "whose which what there here of in on at to by for from with as into onto upon about and or but so if then than be "
    "is are was were been being am has have had having do does did done will would shall should can could may might "
    "must also not no never nor neither cannot without very just only even still both such when where while s t d ll "
    "ve re"
)


class Word(NamedTuple):
    """A word or number of a sentence, or a mark that ends a statement."""

    text: str
    lower: str
    key: str
    start: int
    end: int
    carries: bool
    """Whether it has a meaning of its own, unlike "the" and "of"."""
    negated: bool
    """Whether a syllable of its own denies it, as in "unaffected"; its key is then that of "affected"."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def stops(self) -> bool:
        return self.text in _STOPS

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper()


def read_words(text: str) -> tuple[Word, ...]:
    return tuple(_word(match) for match in _WORD.finditer(text))


def _word(match: re.Match[str]) -> Word:
    text = match[0]
    lower = text.lower().replace("’", "'")
    bare = lower.removesuffix("'s")
    if not bare.isascii():
        bare = unicodedata.normalize("NFC", bare)
    affirmed = affirmative(bare)
    carries = bare not in _FUNCTION and text not in _STOPS and not lower.endswith("n't")
    return Word(text, lower, base_form(affirmed or bare), match.start(), match.end(), carries, affirmed is not None)
