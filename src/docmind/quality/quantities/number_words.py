"""Reads numbers written in words: twelve, twenty-five, two thirds, half a million, a dozen, the third."""

from decimal import Decimal

from docmind.quality.quantities.numerals import Number
from docmind.quality.quantities.tokens import Tokens
from docmind.quality.quantities.units import COUNTED, SCALES, UNITS


def _counted(words: str, first: int = 0) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split(), start=first)}


_ONES = _counted(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = {word: 10 * tens for word, tens in _counted("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
_ORDINALS = _counted("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 1)
SMALL = {**_ONES, **_TENS}
"""Number words that can begin a number."""
OPENERS = frozenset(SMALL) | frozenset(_ORDINALS) | {"a", "an", "half"}
"""Words that a number may begin with."""
_SCALE_WORDS = ("hundred", "thousand", "million", "billion", "trillion")
_DENOMINATORS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fifth": 5, "fifths": 5, "tenth": 10,
    "tenths": 10,
}  # fmt: skip
_PLURAL = frozenset({"halves", "thirds", "quarters", "fifths", "tenths"})
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_ONE = Decimal(1)
LONGEST = 12
"""Words of one number, which bounds how far ahead is looked."""


def read_words(tokens: Tokens, index: int) -> Number | None:
    """The number in words that begins at `index`; a part of a whole comes as per cent."""
    word = tokens.at(index).lower
    if word in ("a", "an", "one", "half"):
        return _part(tokens, index) or _article(tokens, index) or (_spelled(tokens, index) if word == "one" else None)
    return (_part(tokens, index) or _spelled(tokens, index)) if word in SMALL else None


def read_ordinal(tokens: Tokens, index: int) -> Number | None:
    """First, third, 21st: a place in an order, which is no amount."""
    token = tokens.at(index)
    if token.lower in _ORDINALS:
        return Number(Decimal(_ORDINALS[token.lower]), _ONE, index + 1, words=True)
    if token.is_digits and len(token.text) <= 4 and tokens.glued(index + 1).lower in _SUFFIXES:
        return Number(Decimal(token.text), _ONE, index + 2)
    return None


def _spelled(tokens: Tokens, index: int) -> Number | None:
    """Twenty-five; one hundred and twenty; two hundred thousand. Scales above a hundred after it are the unit's."""
    total = current = Decimal(0)
    step, end, last = _ONE, index, index + LONGEST
    while end < last:
        word = tokens.at(end).lower
        if word in SMALL and (end == index or _may_follow(tokens, end)):
            current += SMALL[word]
            end += 1
        elif word == "hundred" and current:
            current *= 100
            end += 1
        elif word in ("thousand", "million") and current and tokens.at(end + 1).lower in SMALL:
            total, current = total + current * SCALES[word], Decimal(0)
            end += 1
        elif end > index and word in ("and", "-") and _joins(tokens, end):
            end += 1
        else:
            break
    if tokens.at(index).lower == "one" and end == index + 1 and not _counts(tokens, end):
        return None  # "one of them", "no one": a pronoun
    return Number(total + current, step, end, words=True)


def _may_follow(tokens: Tokens, index: int) -> bool:
    before, word = tokens.at(index - 1).lower, tokens.at(index).lower
    if before == "-":
        return tokens.at(index - 2).lower in _TENS and 0 < SMALL[word] < 10
    return before in (*_SCALE_WORDS, "and") or (before in _TENS and 0 < SMALL[word] < 10)


def _joins(tokens: Tokens, index: int) -> bool:
    before, after = tokens.at(index - 1).lower, tokens.at(index + 1).lower
    if tokens.at(index).text == "-":
        return before in _TENS and 0 < SMALL.get(after, 0) < 10 and not tokens.at(index + 1).gap
    return before in _SCALE_WORDS and after in SMALL


def _counts(tokens: Tokens, index: int) -> bool:
    word = tokens.at(index).lower
    return word in SCALES or word in UNITS or word in COUNTED or tokens.at(index).text == "%"


def _part(tokens: Tokens, index: int) -> Number | None:
    """Two thirds, a quarter of, one-half, half of: the share in per cent."""
    word = tokens.at(index).lower
    if word == "half":
        return _percent(1, 2, index + 1) if tokens.at(index + 1).lower in ("of", "the") else None
    end = index + 2 if tokens.at(index + 1).text == "-" else index + 1
    name = tokens.at(end).lower
    if name not in _DENOMINATORS:
        return None
    top = 1 if word in ("a", "an") else SMALL[word]
    # "A third party", "one quarter" and "four quarters" are no fractions; "a third of" and "two thirds" are.
    is_part = tokens.at(end + 1).lower == "of" or (name in _PLURAL and name != "quarters")
    return _percent(top, _DENOMINATORS[name], end + 1) if is_part and 0 < top < _DENOMINATORS[name] else None


def _percent(top: int, bottom: int, end: int) -> Number:
    return Number((Decimal(100 * top) / bottom).quantize(Decimal("1e-9")), _ONE, end, words=True, fraction=True)


def _article(tokens: Tokens, index: int) -> Number | None:
    """A dozen, a hundred, a million, half a million."""
    word, following = tokens.at(index).lower, tokens.at(index + 1).lower
    if word == "half" and following == "a" and tokens.at(index + 2).lower in _SCALE_WORDS:
        scale = SCALES[tokens.at(index + 2).lower]
        return Number(scale / 2, scale / 10, index + 3, words=True)
    if word in ("a", "an", "one") and following == "dozen":
        return Number(Decimal(12), _ONE, index + 2, words=True)
    if word in ("a", "an") and following in _SCALE_WORDS:
        return Number(SCALES[following], SCALES[following], index + 2, words=True)
    return None
