"""Reads one number written in digits, with the separators of several countries, and never reads a digit twice."""

from decimal import Decimal
from typing import NamedTuple

from docmind.quality.quantities.tokens import GROUPING_SPACES, Tokens

LONGEST = 30
"""Digits; a longer run is a key or a code and not a quantity."""
GROUPS = LONGEST // 3
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
    if len(whole) + len(fraction) > LONGEST:
        return None
    # Built from text, because arithmetic would round to the context's digits.
    return Number(Decimal(f"{whole}.{fraction}"), Decimal(f"1e-{len(fraction)}"), end)
