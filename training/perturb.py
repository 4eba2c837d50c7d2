"""Changes one thing in a true sentence so that it is false, and says which characters were changed.

Each change is one a careless writer makes: another number, year, unit or name, a negation put in or taken out, up for
down, all for some. The changed characters teach the encoder which words are unsupported.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Chance = np.random.Generator


@dataclass(frozen=True)
class Changed:
    """The sentence after the change, and where it was changed."""

    text: str
    start: int
    end: int


_YEAR = re.compile(r"\b(?:1[5-9]\d\d|20[0-4]\d)\b")
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?(?![\w-]|[.,]\d)")
_UNIT = re.compile(r"(?<=\d )(?:[a-z]{1,12}|%)|(?<=\d)%")
_NAME = re.compile(r"\b[A-Z][a-z]{2,20}(?: (?:of |the )?[A-Z][a-z]{2,20}){0,3}\b")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did)\b")
_NOT = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did) not\b")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WORD_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty")
_UNITS = (
    ("%", "percentage points"), ("percent", "percentage points"), ("million", "billion", "thousand"),
    ("days", "weeks", "months", "years", "hours", "minutes", "seconds"), ("mg", "g", "kg"),
    ("mm", "cm", "m", "km", "miles", "metres", "feet"), ("GB", "MB", "TB", "KB"), ("dollars", "euros", "pounds"),
)  # fmt: skip
_OPPOSITES = (
    "increase/decrease", "increases/decreases", "increased/decreased", "increasing/decreasing", "higher/lower",
    "rise/fall", "rose/fell", "more/less", "most/least", "larger/smaller", "largest/smallest", "greater/smaller",
    "before/after", "above/below", "first/last", "positive/negative", "early/late", "earlier/later", "enable/disable",
    "enabled/disabled", "enables/disables", "maximum/minimum", "gain/loss", "gained/lost", "improved/worsened",
    "improves/worsens", "male/female", "men/women", "north/south", "northern/southern", "east/west",
    "eastern/western", "up/down", "with/without", "allow/prevent", "allows/prevents", "allowed/prevented",
    "success/failure", "strong/weak", "stronger/weaker", "high/low", "long/short", "longer/shorter", "start/stop",
    "started/stopped", "open/closed", "include/exclude", "includes/excludes", "included/excluded", "add/remove",
    "same/different", "better/worse", "best/worst", "begins/ends", "began/ended", "inside/outside", "major/minor",
    "cause/prevent", "causes/prevents", "caused/prevented", "public/private", "optional/required", "old/new",
)  # fmt: skip
_QUALIFIERS = (
    "all/some", "most/few", "many/few", "always/never", "often/rarely", "usually/rarely", "some/all", "only/also",
    "may/must", "can/cannot", "every/no", "both/neither", "at least/at most", "more than/less than", "up to/over",
    "approximately/exactly", "about/exactly", "possible/certain", "likely/unlikely", "sometimes/always",
)  # fmt: skip


def _pairs(entries: Sequence[str]) -> dict[str, str]:
    both = [entry.partition("/") for entry in entries]
    return {other: one for one, _, other in both} | {one: other for one, _, other in both}


_SWAPS = _pairs(_OPPOSITES)
_LIMITS = _pairs(_QUALIFIERS)


def _whole_words(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b", re.IGNORECASE)


_SWAP, _LIMIT = _whole_words(list(_SWAPS)), _whole_words(list(_LIMITS))
_MONTH, _WORD_NUMBER = _whole_words(_MONTHS), _whole_words(_WORD_NUMBERS)


def other_number(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    return _replace(text, _NUMBER, chance, lambda found: _another_number(found, chance))


def other_year(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    def shifted(found: str) -> str:
        return str(int(found) + int(chance.choice([-20, -10, -7, -4, -3, -2, -1, 1, 2, 3, 5, 9, 10, 20])))

    return _replace(text, _YEAR, chance, shifted)


def other_month(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    months = [month for month in _MONTHS if month.lower() not in text.lower()]
    return _replace(text, _MONTH, chance, lambda found: str(chance.choice(months)) if found[0].isupper() else None)


def other_count(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    def count(found: str) -> str:
        other = str(chance.choice([word for word in _WORD_NUMBERS if word != found.lower()]))
        return other.capitalize() if found[0].isupper() else other

    return _replace(text, _WORD_NUMBER, chance, count)


def other_unit(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    def unit(found: str) -> str | None:
        for family in _UNITS:
            if found in family:
                return str(chance.choice([one for one in family if one != found]))
        return None

    return _replace(text, _UNIT, chance, unit)


def other_name(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    """`names` are those that occur nearby: a wrong name from the same page is the likely slip."""
    free = [name for name in names if name not in text]
    if not free:
        return None
    return _replace(
        text, _NAME, chance, lambda found: str(chance.choice(free)) if found != text[: len(found)] else None
    )


def other_subject(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    free = [name for name in names if name not in text]
    found = _NAME.match(text)
    if not free or not found or " " not in found.group():
        return None
    name = str(chance.choice(free))
    return Changed(name + text[found.end() :], 0, len(name))


def negated(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    if found := _NOT.search(text):
        return Changed(
            text[: found.start()] + found.group(1) + text[found.end() :], *_at(found.start(), found.group(1))
        )
    return _replace(text, _AUXILIARY, chance, lambda found: f"{found} not")


def reversed_direction(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    return _replace(text, _SWAP, chance, lambda found: _like(found, _SWAPS.get(found.lower())))


def other_limit(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    return _replace(text, _LIMIT, chance, lambda found: _like(found, _LIMITS.get(found.lower())))


CHANGES: tuple[Callable[[str, Sequence[str], Chance], Changed | None], ...] = (
    other_number, other_number, other_year, other_month, other_count, other_unit, other_name, other_name,
    other_subject, negated, reversed_direction, reversed_direction, other_limit,
)  # fmt: skip


def change(text: str, names: Sequence[str], chance: Chance) -> Changed | None:
    """One change that the sentence allows, or None where it allows none."""
    for place in chance.permutation(len(CHANGES)):
        changed = CHANGES[int(place)](text, names, chance)
        if changed and changed.text != text:
            return changed
    return None


def names_in(text: str) -> list[str]:
    """Names that do not merely open a sentence."""
    return [
        found.group()
        for found in _NAME.finditer(text)
        if " " in found.group()
        or text[max(0, found.start() - 2) : found.start()].strip(" \n(\"'") not in ("", ".", "?", "!", ":")
    ]


def _replace(text: str, pattern: re.Pattern[str], chance: Chance, make: Callable[[str], str | None]) -> Changed | None:
    places = list(pattern.finditer(text))
    for index in chance.permutation(len(places)):
        found = places[index]
        new = make(found.group())
        if new and new != found.group():
            return Changed(text[: found.start()] + new + text[found.end() :], *_at(found.start(), new))
    return None


def _at(start: int, new: str) -> tuple[int, int]:
    return start, start + len(new)


def _like(found: str, new: str | None) -> str | None:
    return new.capitalize() if new and found[0].isupper() else new


def _another_number(found: str, chance: Chance) -> str:
    """As many digits and the same look, and never a change that rounding would hide."""
    digits = [place for place, letter in enumerate(found) if letter.isdigit()]
    if chance.random() < 0.3 and len(digits) > 1 and "," not in found and "." not in found:
        return str(round(int(found) * float(chance.choice([0.1, 0.5, 2, 3, 10]))) or 4)
    place = digits[int(chance.integers(0, max(1, min(2, len(digits)))))]
    new = str((int(found[place]) + int(chance.integers(1, 9))) % 10)
    if place == 0 and new == "0":
        new = "9" if found[0] != "9" else "4"
    return found[:place] + new + found[place + 1 :]
