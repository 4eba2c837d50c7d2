"""Scores an answer as TAT-QA's authors do: numbers by their worth in base scale, words by those that both have."""

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "percent": 0.01}
_MARKS_OF_NUMBERS = str.maketrans("", "", "'\"\\$€£¥%(),[]")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NUMERAL = re.compile(r"[+-]?\d++(?:\.\d++)?+")
_IN_BRACKETS = re.compile(r"\([\d.\s]++\)")
_PERCENT = re.compile(r"[\d.\s]++%")
_SCALED = re.compile(r"[\d.]++\s?[a-zA-Z]++")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer: one or several texts, and the scale that numbers among them are in ("", thousand, percent ...)."""

    texts: tuple[str, ...]
    scale: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    exact_match: float
    f1: float


def score(given: GivenAnswer | None, wanted: GivenAnswer, *, numeric: bool) -> Score:
    """`numeric` for calculations and counts, which are right or wrong as a whole."""
    if given is None or not given.texts or not wanted.texts:
        return Score(0.0, 0.0)
    gold = _written(wanted)
    tried = [_written(given)]
    bare = given.texts[0]
    if len(given.texts) == 1 and not given.scale and "%" not in bare and is_number(bare):
        # A share written as 0.2342 is right where 23.42 percent is wanted.
        tried.append(f"{_value(bare):.4f}")
    best = max((_compare(one, gold) for one in tried), key=lambda one: (one.exact_match, one.f1))
    return Score(best.exact_match, best.exact_match) if numeric else best


def is_number(text: str) -> bool:
    """Whether a text is a number, with a scale word behind it or with nothing."""
    words = text.translate(_MARKS_OF_NUMBERS).split()
    try:
        float(words[0]) if words else float("")
    except ValueError:
        return False
    return words[0].lower() != "nan" and (len(words) < 2 or _scale(words[1]) != 1)


def _written(given: GivenAnswer) -> str:
    """All texts as one, in order of the alphabet, each number as its worth to four places."""
    return " ".join(_one(text, given.scale) for text in sorted(given.texts))


def _one(text: str, scale: str) -> str:
    value = _value(text) if is_number(text) else None
    if value is None:
        return f"{text} {scale}" if scale else text
    return f"{value:.4f}" if "%" in text else f"{round(value, 2) * _scale(scale):.4f}"


def _value(text: str) -> float | None:
    number = _NUMERAL.search(text.translate(_MARKS_OF_NUMBERS))
    if number is None:
        return None
    value = float(number[0]) if "." in number[0] else int(number[0])
    scaled = _SCALED.search(text)
    factor = _scale(scaled[0]) if scaled else 1
    sign = -1 if _IN_BRACKETS.search(text.strip()) else 1
    percent = 0.01 if _PERCENT.search(text.strip()) else 1
    return round(value * factor * sign * percent, 4)


def _scale(text: str) -> float:
    lower = text.lower()
    return next((worth for name, worth in _SCALES.items() if name in lower), 1)


def _compare(given: str, wanted: str) -> Score:
    ours, theirs = _plain(given), _plain(wanted)
    return Score(float(ours == theirs), round(_overlap(set(ours), set(theirs)), 2))


def _plain(text: str) -> Sequence[str]:
    """Small words, numbers by their value, without punctuation and articles."""
    tokens = (_plain_token(token) for token in text.lower().split(" "))
    return " ".join(token for token in tokens if token.strip()).split()


def _plain_token(token: str) -> str:
    if is_number(token):
        return str(_value(token))
    return " ".join(_ARTICLE.sub(" ", token.translate(_PUNCTUATION)).split())


def _overlap(given: set[str], wanted: set[str]) -> float:
    both = len(given & wanted)
    precision = both / len(given) if given else 1.0
    recall = both / len(wanted) if wanted else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
