"""Reads numbers in digits, with the separators of several countries, and in words: 1.234,5, two thirds, a dozen."""

from decimal import Decimal
from typing import NamedTuple

from docmind.quality.quantities.tokens import GROUPING_SPACES, Tokens
from docmind.quality.quantities.units import COUNTED, SCALES, UNITS

MOST_DIGITS = 30
"""Digits; a longer run is a key or a code and not a quantity."""
GROUPS = MOST_DIGITS // 3
"""Groups of three looked for, so that no run of digits is read over and over."""
_APOSTROPHES = frozenset("'’")


class Number(NamedTuple):
    """A value as written: `step` is the worth of its last digit, `end` the token after it."""

    value: Decimal
    step: Decimal
    end: int
    words: bool = False
    fraction: bool = False


def read_numeral(tokens: Tokens, index: int, *, of_money: bool = False) -> Number | None:
    """The number whose first digits are at `index`; `of_money` where a currency before it decides doubtful cases."""
    first = tokens.at(index)
    if first.text == "." and tokens.glued(index + 1).is_digits and not _touches_word(tokens, index):
        return _number("0", tokens.at(index + 1).text, index + 2)
    if not first.is_digits:
        return None
    if len(first.text) <= 3 and not first.text.startswith("0"):
        grouped = _grouped(tokens, index) or _spaced(tokens, index, of_money)
        if grouped is not None:
            return grouped
    mark, fraction = tokens.glued(index + 1).text, tokens.glued(index + 2)
    if mark == "." and fraction.is_digits:
        return _number(first.text, fraction.text, index + 3)
    if mark == "," and fraction.is_digits and len(fraction.text) <= 2 and not _continues(tokens, index + 3):
        # "3,7" is a decimal only where something says that it is an amount; else it is a list of two numbers.
        after = tokens.at(index + 3)
        if of_money or after.text in {"%", "€"} or after.lower in {"percent", "million", "billion", "bn"}:
            return _number(first.text, fraction.text, index + 3)
    return _number(first.text, "", index + 1)


def dotted_end(tokens: Tokens, index: int) -> int:
    """The token after a run such as 3.2.1, or `index` where no such run of three or more parts begins there."""
    end = index + 1
    while tokens.glued(end).text == "." and tokens.glued(end + 1).is_digits:
        end += 2
    return end if end - index >= 5 else index


def _grouped(tokens: Tokens, index: int) -> Number | None:
    """Thousands in groups of three by one separator: 1,234,567.8 or 1.234.567,8 or 1'234.5 or 1 234,5."""
    separator, end = _separator(tokens, index + 1), index + 1
    digits = [tokens.at(index).text]
    while separator and len(digits) <= GROUPS and _separator(tokens, end) == separator:
        group = tokens.at(end if separator in GROUPING_SPACES else end + 1)
        if len(group.text) != 3 or not group.is_digits:
            break
        digits.append(group.text)
        end += 1 if separator in GROUPING_SPACES else 2
    if len(digits) == 1:
        return None
    fraction, after = _fraction(tokens, end, "," if separator == "." else ".")
    if not fraction and separator in GROUPING_SPACES | _APOSTROPHES:
        fraction, after = _fraction(tokens, end, ",")
    # One dot before three digits is a decimal point unless a decimal comma shows that it is not.
    if separator == "." and len(digits) == 2 and not fraction:
        return None
    return _number("".join(digits), fraction, after)


def _spaced(tokens: Tokens, index: int, of_money: bool) -> Number | None:
    """Thousands parted by plain spaces, where a decimal comma or a currency shows that it is one number."""
    digits, end = [tokens.at(index).text], index + 1
    while len(digits) <= GROUPS and tokens.at(end).gap == " " and len(tokens.at(end).text) == 3:
        if not tokens.at(end).is_digits:
            break
        digits.append(tokens.at(end).text)
        end += 1
    fraction, after = _fraction(tokens, end, ",")
    if len(digits) == 1 or _continues(tokens, after) or not (of_money or 0 < len(fraction) <= 2):
        return None
    return _number("".join(digits), fraction, after)


def _separator(tokens: Tokens, index: int) -> str:
    token = tokens.at(index)
    if token.gap in GROUPING_SPACES and token.gap and token.is_digits:
        return token.gap
    glued = not token.gap and tokens.glued(index + 1).is_digits
    return token.text if glued and (token.text in ",." or token.text in _APOSTROPHES) else ""


def _fraction(tokens: Tokens, index: int, mark: str) -> tuple[str, int]:
    if tokens.glued(index).text == mark and tokens.glued(index + 1).is_digits:
        return tokens.at(index + 1).text, index + 2
    return "", index


def _continues(tokens: Tokens, index: int) -> bool:
    return tokens.glued(index).text in {",", "."} and tokens.glued(index + 1).is_digits


def _touches_word(tokens: Tokens, index: int) -> bool:
    return not tokens.at(index).gap and (tokens.at(index - 1).is_word or tokens.at(index - 1).is_digits)


def _number(whole: str, fraction: str, end: int) -> Number | None:
    if len(whole) + len(fraction) > MOST_DIGITS:
        return None
    # Built from text, because arithmetic would round to the context's digits.
    return Number(Decimal(f"{whole}.{fraction}"), Decimal(f"1e-{len(fraction)}"), end)


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
MOST_WORDS = 12
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
    step, end, last = _ONE, index, index + MOST_WORDS
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
