"""What a claim is chiefly about: an obligation, a quantity, a time, or none of these."""

import re
from collections.abc import Sequence

from docmind.domain.verdicts import ClaimKind

_TOKEN = re.compile(r"\S{1,60}+")
_NUMBER = re.compile(r"[~≈<>±+-]?+[0-9][0-9,.]{0,30}+(?:[-–x×/][0-9][0-9,.]{0,30}+)?+")
_GLUED = re.compile(r"[~≈<>±+-]?+[0-9][0-9,.]{0,30}+-?+([^\W\d_]{1,12}+)")
_DATE = re.compile(r"[0-9]{1,4}+[-/.][0-9]{1,2}+[-/.][0-9]{1,4}+|[0-9]{1,2}+:[0-9]{2}(?:am|pm)?+")
_PERIOD = re.compile(r"(?:fy|cy|[qh][1-4])(?:[ '’]?+[0-9]{2,4}+)?+|[0-9][qh][0-9]{2,4}+|[0-9]{4}s")
_DIGIT = re.compile(r"[0-9]")
_TELLING = re.compile(r"[0-9-]")
_MARGINS = ".,;:!?()[]{}\"'“”‘’*_`"
_CURRENCIES = frozenset("$€£¥₹")

_TIME_UNITS = frozenset({
    "second", "seconds", "minute", "minutes", "hour", "hours", "hr", "hrs", "day", "days", "week", "weeks",
    "weekend", "month", "months", "quarter", "quarters", "year", "years", "yr", "yrs", "decade", "decades",
    "century", "centuries",
})  # fmt: skip
_CLOCK = frozenset({
    "am", "pm", "a.m", "p.m", "o'clock", "o’clock",
})  # fmt: skip
_MONTHS = frozenset({
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november",
    "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
})  # fmt: skip
"""May is left out: it is a verb too."""
_WEEKDAYS = frozenset({
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
})  # fmt: skip
_RELATIVE = frozenset({
    "last", "next", "previous", "past", "coming", "current", "every", "each", "per", "fiscal", "first",
    "second", "third", "fourth", "final",
})  # fmt: skip
_SCALES = frozenset({
    "percent", "per", "percentage", "bps", "basis", "thousand", "million", "billion", "trillion", "bn", "mn",
    "dozen", "hundred",
})  # fmt: skip
_NUMBER_WORDS = frozenset({
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "fifteen", "twenty",
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "billion",
    "dozen", "half",
})  # fmt: skip
_MULTIPLES = frozenset({
    "doubled", "doubling", "tripled", "tripling", "halved", "halving", "quadrupled", "twice", "thrice", "twofold",
    "threefold",
})  # fmt: skip
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_LABELS = frozenset({
    "step", "steps", "section", "sections", "passage", "passages", "page", "pages", "figure", "table", "note",
    "notes", "chapter", "no", "number", "item", "phase", "version", "level", "type", "part", "article", "paragraph",
    "appendix", "exhibit", "document", "doc", "source", "form", "rule", "title", "schedule", "question", "windows",
})  # fmt: skip
_BEFORE_QUANTITIES = frozenset({
    "to", "by", "from", "at", "of", "than", "about", "approximately", "around", "over", "under", "nearly", "only",
    "least", "most", "is", "was", "were", "are", "totaled", "totalled", "reached", "exceeded", "between", "roughly",
    "almost", "=",
})  # fmt: skip
_BEFORE_YEARS = frozenset({
    "in", "since", "by", "from", "until", "till", "during", "fiscal", "year", "years", "of", "to", "and", "through",
    "before", "after", "early", "late", "mid",
})  # fmt: skip
_NO_UNITS = frozenset({
    "and", "or", "to", "of", "in", "is", "was", "are", "were", "the", "a", "an", "by", "for", "from", "on", "at",
    "with", "as", "that", "which", "but", "if", "then", "has", "have",
})  # fmt: skip
_DUTIES = frozenset({
    "must", "shall", "obliged", "obligated", "obligatory", "mandatory", "prohibited", "forbidden", "compulsory",
    "prohibits", "forbids",
})  # fmt: skip
_DUTY_PAIRS = frozenset({
    ("not", "permitted"), ("not", "allowed"), ("required", "to"), ("required", "by"), ("is", "required"),
    ("are", "required"), ("be", "required"), ("have", "to"), ("has", "to"), ("not", "exceed"), ("cannot", "exceed"),
})  # fmt: skip
_SUPPOSED = frozenset({
    "have", "always", "necessarily", "yet", "directly", "fully", "reflect", "promote", "provide", "apply", "include",
    "indicate", "work", "know", "want", "need", "occur", "continue", "seem", "even", "only",
})  # fmt: skip
"""After "may not" these tell what is possible, where other verbs tell what is allowed."""
_DUTY_WORDS = _DUTIES | {first for first, _ in _DUTY_PAIRS} | {"may", "require", "requires"}
_TELLING_WORDS = _MULTIPLES | _NUMBER_WORDS | _MONTHS | _WEEKDAYS | _TIME_UNITS | {"may"}
"""Of words without a digit only these, and such as `five-year`, tell a quantity or a time."""
_CLAUSE_WORDS = 7
"""How far `to` or `that` may stand from the verb in `requires employees to report`."""


def kind_of(text: str) -> ClaimKind:
    """The kind of a claim.

    Where several fit, an obligation comes first: what it demands is what the sentence says, and amounts and deadlines
    are its terms. A quantity comes before a time, which mostly dates it. The kind selects no check: numbers and dates
    are compared in claims of every kind.
    """
    tokens = [token for word in _TOKEN.findall(text) if (token := word.strip(_MARGINS))]
    lower = [token.lower() for token in tokens]
    if not _DUTY_WORDS.isdisjoint(lower) and _is_obligation(lower):
        return ClaimKind.OBLIGATION
    telling = (n for n, word in enumerate(lower) if word in _TELLING_WORDS or _TELLING.search(word))
    kinds = {_token_kind(tokens, lower, n) for n in telling}
    for kind in (ClaimKind.QUANTITATIVE, ClaimKind.TEMPORAL):
        if kind in kinds:
            return kind
    return ClaimKind.GENERAL


def _is_obligation(words: Sequence[str]) -> bool:
    for n, word in enumerate(words):
        after = words[n + 1] if n + 1 < len(words) else ""
        # "must have been" supposes, it does not demand.
        if (word in _DUTIES and after != "have") or (word, after) in _DUTY_PAIRS:
            return True
        if (word, after) == ("may", "not") and _forbids(words[n + 2 : n + 4]):
            return True
        if word in ("require", "requires") and not {"to", "that"}.isdisjoint(words[n + 1 : n + 1 + _CLAUSE_WORDS]):
            return True
    return False


def _forbids(verb: Sequence[str]) -> bool:
    """Whether "may not" before these words withholds leave: "may not disclose", "may not be used"."""
    if verb and verb[0] == "be":
        return verb[-1].endswith(("ed", "en", "made", "sold", "held", "paid"))
    return bool(verb) and verb[0] not in _SUPPOSED


def _token_kind(tokens: Sequence[str], lower: Sequence[str], n: int) -> ClaimKind | None:
    word = lower[n]
    before = lower[n - 1] if n else ""
    after = lower[n + 1] if n + 1 < len(lower) else ""
    if _DIGIT.search(word) is None:
        return _word_kind(tokens[n], word, before, after)
    if not _CURRENCIES.isdisjoint(word) or "%" in word or "°" in word:
        return ClaimKind.QUANTITATIVE
    if _DATE.fullmatch(word) or _PERIOD.fullmatch(word):
        return ClaimKind.TEMPORAL
    if _NUMBER.fullmatch(word):
        return _number_kind(word, before, after, tokens[n + 1] if after else "")
    glued = _GLUED.fullmatch(word)
    if glued is None or glued[1] in _ORDINALS:
        return None
    return ClaimKind.TEMPORAL if glued[1] in _TIME_UNITS or glued[1] in _CLOCK else ClaimKind.QUANTITATIVE


def _word_kind(token: str, word: str, before: str, after: str) -> ClaimKind | None:
    """The kind that a word without digits gives its sentence."""
    if word in _MULTIPLES:
        return ClaimKind.QUANTITATIVE
    if word in _NUMBER_WORDS:
        if after in _TIME_UNITS:
            return ClaimKind.TEMPORAL
        counts = after in _SCALES or (after.endswith("s") and after not in _NO_UNITS)
        return ClaimKind.QUANTITATIVE if counts and before not in _LABELS else None
    count, _, unit = word.partition("-")
    if count in _NUMBER_WORDS and unit in _TIME_UNITS:
        return ClaimKind.TEMPORAL
    named = token[0].isupper() and (word in _MONTHS or word in _WEEKDAYS or (word == "may" and before in _BEFORE_YEARS))
    return ClaimKind.TEMPORAL if named or (word in _TIME_UNITS and before in _RELATIVE) else None


def _number_kind(word: str, before: str, after: str, following: str) -> ClaimKind | None:
    if after in _TIME_UNITS or after in _CLOCK or before in _MONTHS or after in _MONTHS or before == "may":
        return ClaimKind.TEMPORAL
    if after in _SCALES or not _CURRENCIES.isdisjoint(before):
        return ClaimKind.QUANTITATIVE
    if before in _LABELS:
        return None
    if _is_year(word):
        counted = word.endswith("00") and after.endswith("s") and before not in _BEFORE_YEARS and after not in _NO_UNITS
        return ClaimKind.QUANTITATIVE if counted else ClaimKind.TEMPORAL
    measured = following[:1].islower() and after not in _NO_UNITS
    precise = "," in word or "." in word
    return ClaimKind.QUANTITATIVE if measured or precise or before in _BEFORE_QUANTITIES else None


def _is_year(word: str) -> bool:
    """A year, or a span of two such as 2019-2023."""
    return (
        len(word) in (4, 7, 9)
        and word[:4].isdecimal()
        and 1500 <= int(word[:4]) < 2200
        and word[4:5] in ("", "-", "–", "/")
    )
