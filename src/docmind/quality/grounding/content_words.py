"""The words of a text that say something, each reduced to a key under which a paraphrase would still find it."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from docmind.domain.documents import Span
from docmind.quality.forms import base_form
from docmind.quality.named_passages import NAMED_PASSAGE
from docmind.quality.vocabulary import DISCOURSE_WORDS, FUNCTION_WORDS, NUMBER_WORDS, SHORT_FORMS

# A passage named by number, a dotted initialism, a numeral, a character of a script without spaces between, or a word.
_WORD = re.compile(
    rf"(?P<passage>{NAMED_PASSAGE.pattern})|"
    r"(?:[A-Za-z]\.){2,8}+|\d{1,30}+(?:[.,]\d{1,30}+){0,10}+(?:(?:st|nd|rd|th)\b)?+|[\u3040-\u30ff\u3400-\u9fff]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff]{1,60}+(?:['’][a-z]{1,3}+)?+"
)
# What makes the same digits another number: a currency, a percent sign, a minus, a limit.
_TOKEN = re.compile(rf"{_WORD.pattern}|[$€£¥₹%‰]|(?<!\w)[-−–+±<>≤≥~](?=[ $€£¥₹]?+\d)")
_WRITTEN_LIKE_A_FUNCTION_WORD = frozenset(("US", "May"))


@dataclass(frozen=True, slots=True)
class Word:
    """One word that says something, where it stands, and what it is compared by."""

    span: Span
    text: str
    key: str

    @property
    def is_number(self) -> bool:
        return self.text[0].isdecimal()

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_name(self) -> bool:
        """Capitalised, and not because a sentence begins with it."""
        return self.text[0].isupper() and self.span.start > 0


def words(text: str) -> list[Word]:
    """The content words in order: neither function words nor punctuation."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        word = match.group()
        key = "" if match["passage"] else _key(word)
        if key:
            found.append(Word(Span(match.start(), match.end()), word, key))
    return found


def is_discourse(word: Word) -> bool:
    """Whether an answer may use it to speak of itself."""
    return word.text.lower() in DISCOURSE_WORDS


def sequence(text: str) -> list[tuple[str, Span]]:
    """Every word and sign in order, function words too, for telling a verbatim sentence from a similar one."""
    return [(_plain(match.group()), Span(match.start(), match.end())) for match in _TOKEN.finditer(text)]


def _plain(token: str) -> str:
    return token.lower() if token.isascii() else _with_ascii_digits(token.lower())


def _with_ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


@lru_cache(maxsize=1 << 16)
def _key(word: str) -> str:
    """What the word is compared by; empty for one that says nothing."""
    if word[0].isdecimal():
        return _numeral(word)
    plain = word.replace(".", "").replace("’", "'")
    lower = plain.lower()
    if lower in FUNCTION_WORDS and not (plain in _WRITTEN_LIKE_A_FUNCTION_WORD or (plain.isupper() and "." in word)):
        return ""
    lower = lower.removesuffix("'s").removesuffix("'")
    if lower in NUMBER_WORDS:
        return NUMBER_WORDS[lower]
    lower = SHORT_FORMS.get(lower, lower)
    if not lower.isascii():
        lower = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    return base_form(lower)


def _numeral(word: str) -> str:
    """1,800 and 1800 are one; so are 3.50 and 3.5, 4th and 4."""
    digits = _with_ascii_digits(word).rstrip("stndrh").replace(",", "")
    if digits.count(".") == 1:
        digits = digits.rstrip("0").rstrip(".")
    return digits.lstrip("0") or "0"
