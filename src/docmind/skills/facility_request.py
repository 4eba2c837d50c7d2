"""Reading a request for a facility by its words alone: what kind, with which services, when open, how far, where."""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from docmind.corpus.facilities import Day, Opening
from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.places import COORDINATES
from docmind.corpus.facilities.spelling import bags, closest, fold, term
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import (
    ASKING,
    AUXILIARIES,
    DETERMINERS,
    PERSONS,
    PRONOUNS,
    REQUESTS,
    Word,
    read_words,
)


class Sentence:
    """The words of a request, and which of them are spoken for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = read_words(text)
        self._taken = [False] * len(self.words)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def lower(self) -> list[str]:
        return [word.lower for word in self.words]

    def is_free(self, at: int) -> bool:
        return 0 <= at < len(self.words) and not self._taken[at]

    def take(self, start: int, end: int) -> None:
        self._taken[start:end] = [True] * (end - start)

    def find(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match that touches nothing taken, which is taken with it."""
        for match in pattern.finditer(self.text):
            touched = [at for at, word in enumerate(self.words) if _overlap(word, match)]
            if touched and all(map(self.is_free, touched)):
                self.take(touched[0], touched[-1] + 1)
                return match
        return None

    def windows(self, longest: int) -> Iterator[tuple[int, int]]:
        """Every run of free words, the longest first, then from the left."""
        for length in range(min(longest, len(self.words)), 0, -1):
            for start in range(len(self.words) - length + 1):
                if not any(self._taken[start : start + length]):
                    yield start, start + length

    def phrase(self, start: int, end: int) -> str:
        return " ".join(word.text for word in self.words[start:end])


def _overlap(word: Word, match: re.Match[str]) -> bool:
    return word.span.start < match.end() and match.start() < word.span.end


LONGEST_TERM = 5
LONGEST_NAME = 8
_STEM = 6
"""Letters that words of one family share: vaccination, vaccinated, vaccine."""
_SHORTEST_MISSPELT = 6
_OFFERING = frozenset(
    {"with", "offering", "offers", "offer", "providing", "provides", "for", "get", "have", "has", "do"}
)

# How people say what tables call otherwise; each counts only where the table has one of the terms on its right.
_SAYINGS: dict[str, tuple[str, ...]] = {
    "chemist": ("pharmacy",),
    "drugstore": ("pharmacy",),
    "drug store": ("pharmacy",),
    "dentist": ("dental practice", "dental", "dentistry"),
    "dental clinic": ("dental practice",),
    "doctor": ("clinic", "general practice", "surgery"),
    "gp": ("general practice", "clinic"),
    "physician": ("clinic", "general practice"),
    "lab": ("laboratory",),
    "physio": ("physiotherapy",),
    "jab": ("vaccination", "flu jab"),
    "shot": ("vaccination",),
    "flu shot": ("flu jab",),
    "flu vaccine": ("flu jab",),
    "flu vaccination": ("flu jab",),
    "immunisation": ("vaccination",),
    "immunization": ("vaccination",),
    "a&e": ("emergency",),
    "er": ("emergency",),
    "emergency room": ("emergency",),
    "emergency department": ("emergency",),
    "x-ray": ("imaging", "radiology"),
    "mri": ("imaging", "radiology"),
    "scan": ("imaging",),
    "blood work": ("blood test",),
    "pediatrics": ("paediatrics",),
    "pediatrician": ("paediatrics",),
    "children's doctor": ("paediatrics",),
    "checkup": ("check-up",),
}


class Terms(NamedTuple):
    kind: str
    services: tuple[str, ...]


def read_name(sentence: Sentence, directory: Directory) -> str:
    """The name of one facility of the table, said in full."""
    names = {fold(name): name for name in directory.names}
    for start, end in sentence.windows(LONGEST_NAME):
        name = names.get(fold(sentence.phrase(start, end)))
        # A name of one word is too easily a word.
        if name and end - start > 1:
            sentence.take(start, end)
            return name
    return ""


def read_terms(sentence: Sentence, directory: Directory) -> Terms:
    """What kind of facility is wanted and which services; the longest words in common count first."""
    kinds, services = _by_term(directory.kinds), _by_term(directory.services)
    kind, wanted = "", dict[int, str]()
    for start, end in list(sentence.windows(LONGEST_TERM)):
        if not all(map(sentence.is_free, range(start, end))):
            continue
        for said in _ways_to_say(sentence.phrase(start, end)):
            as_kind, as_service = _matching_term(said, kinds), _matching_term(said, services)
            offered = sentence.lower[start - 1] in _OFFERING if start else False
            if as_kind and not kind and not (offered and as_service):
                kind = as_kind
            elif as_service:
                wanted[start] = as_service
            else:
                continue
            sentence.take(start, end)
            break
    return Terms(kind, tuple(dict.fromkeys(wanted[start] for start in sorted(wanted))))


def _by_term(values: Iterable[str]) -> dict[tuple[str, ...], str]:
    return {term(value): value for value in reversed(tuple(values))}


def _ways_to_say(phrase: str) -> Iterator[tuple[str, ...]]:
    yield term(phrase)
    lower = phrase.lower()
    for saying in (lower, lower.removesuffix("s")):
        yield from map(term, _SAYINGS.get(saying, ()))


def _matching_term(said: tuple[str, ...], vocabulary: dict[tuple[str, ...], str]) -> str:
    if said in vocabulary:
        return vocabulary[said]
    for known, value in vocabulary.items():
        if len(known) == len(said) and all(map(_same_family, known, said)):
            return value
    joined = " ".join(said)
    if len(joined) >= _SHORTEST_MISSPELT:
        names = [" ".join(known) for known in vocabulary]
        meant, _ = closest(joined, names, bags(names))
        if meant:
            return vocabulary[tuple(meant[0].split())]
    return ""


def _same_family(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= _STEM and one[:_STEM] == other[:_STEM])


LONGEST_PLACE = 6
LONGEST_AREA = 3
_NEAR = vocabulary("near around nearby nearest")
_IN = vocabulary("in")
_WEAK = vocabulary("at by from to of for")
"""They lead to a place only where it looks like one."""
_HERE = vocabulary("me us here my our home")
_UNNAMED = vocabulary("nearest closest nearby")
_NO_PLACE = (
    ASKING | AUXILIARIES | DETERMINERS | PERSONS | PRONOUNS | REQUESTS | _NEAR | _IN | _WEAK | _HERE | _UNNAMED
    | vocabulary(
        "that who with and or but open opens opened closed opening hours offering offers offer providing provides "
        "having on within please now thanks thank any some need want looking look go going get there available close "
        "place places facility facilities phone number address telephone call directions way morning afternoon evening "
        "night week weekend emergency case area areas general radius away distance today tomorrow"
    )
)  # fmt: skip
_PLACE_ENDS = ".?!;:)"


def read_place(sentence: Sentence, directory: Directory) -> tuple[str, bool]:
    """The place as written, and whether the request is relative to one that is not named."""
    decimal = sentence.find(_DECIMAL_COORDINATES)
    if decimal:
        return decimal[0], False
    for leading in (_NEAR, _IN, _WEAK):
        for at, word in enumerate(sentence.lower):
            if word in leading and (end := _place_end(sentence, at + 1, directory)) > at + 1:
                if leading is _WEAK and not _looks_like_place(sentence, at + 1, end, directory):
                    continue
                return _take_place(sentence, at + 1, end), False
    for start, end in sentence.windows(LONGEST_PLACE):
        if _is_known_place(sentence.phrase(start, end), directory):
            return _take_place(sentence, start, max(end, _place_end(sentence, start, directory))), False
    for start in range(1, len(sentence)):
        if sentence.words[start].text[:1].isupper() and (end := _place_end(sentence, start, directory)) > start:
            return _take_place(sentence, start, end), False
    return "", any(word in _UNNAMED for word in sentence.lower) or _is_relative(sentence)


_DECIMAL_COORDINATES = re.compile(rf"(?=[-+−]?\d{{1,3}}\.\d){COORDINATES.pattern}")


def _is_relative(sentence: Sentence) -> bool:
    pairs = zip(sentence.lower, sentence.lower[1:], strict=False)
    return any(word in _NEAR | {"in", "to", "by"} and following in _HERE for word, following in pairs)


def _place_end(sentence: Sentence, start: int, directory: Directory) -> int:
    """Where the run of words that can be a place ends; `start` where there is none."""
    at = start
    if at + 1 < len(sentence) and sentence.lower[at] == "the" and sentence.words[at + 1].text[:1].isupper():
        at += 1
    while (
        at < min(len(sentence), start + LONGEST_PLACE) and sentence.is_free(at) and sentence.lower[at] not in _NO_PLACE
    ):
        at += 1
        closing = sentence.words[at - 1].closing
        if any(mark in closing for mark in _PLACE_ENDS) or (
            "," in closing and not _place_goes_on(sentence, at, directory)
        ):
            break
    return at


def _place_goes_on(sentence: Sentence, at: int, directory: Directory) -> bool:
    """Whether what follows a comma still belongs to the place, as the state does in "Springfield, Illinois"."""
    if not sentence.is_free(at):
        return False
    written = sentence.words[at].text
    areas = (fold(sentence.phrase(at, at + length)) for length in range(1, LONGEST_AREA + 1))
    return written[:1].isupper() or len(written) == 2 or any(area in directory.areas for area in areas)


def _looks_like_place(sentence: Sentence, start: int, end: int, directory: Directory) -> bool:
    return sentence.words[start].text[:1].isupper() or _is_known_place(sentence.phrase(start, end), directory)


def _is_known_place(phrase: str, directory: Directory) -> bool:
    name = fold(phrase)
    if name in directory.town_names or name in directory.areas:
        return True
    return any(map(str.isdigit, phrase)) and len(name) > 2 and bool(directory.at_postcode(phrase))


def _take_place(sentence: Sentence, start: int, end: int) -> str:
    parts = [word.text + ("," if "," in word.closing else "") for word in sentence.words[start:end]]
    sentence.take(start, end)
    return " ".join(parts).rstrip(",")


KM_PER_MILE = 1.609344
_RADIUS = re.compile(
    r"(?<![\d.,])(\d{1,4}(?:\.\d{1,3})?)\s?(?:(km|kms|kilomet(?:er|re)s?)|(mi|miles?)|(m|met(?:er|re)s?))\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:days?)?\b"
    r"|\b(today|tomorrow|now|currently|weekdays?|weekends?)\b",
    re.IGNORECASE,
)
_TONIGHT = re.compile(r"\b(?:tonight|this evening)\b", re.IGNORECASE)
_NIGHT = re.compile(r"24/7|\b24\s?(?:hours?|h)\b|\b(?:at night|all night|overnight|round the clock)\b", re.IGNORECASE)
_CLOCK = re.compile(
    r"\b(?:at|after|past|until|till|around|by)\s(\d{1,2})(?:(?:[:.](\d{2}))?+\s?([ap])\.?m\b\.?|[:.](\d{2})\b)",
    re.IGNORECASE,
)
_OPEN_WORDS = frozenset({"open", "opened", "opens"})
_EVENING = 20 * 60
_DEEP_NIGHT = 3 * 60
"""What is open at three in the morning is open at night."""


def read_radius_km(sentence: Sentence) -> float | None:
    match = sentence.find(_RADIUS)
    if match is None:
        return None
    amount = float(match[1])
    return amount if match[2] else amount * KM_PER_MILE if match[3] else amount / 1000


def read_opening(sentence: Sentence) -> Opening | None:
    """The day and time that are named; "open" alone means now."""
    if sentence.find(_NIGHT):
        return Opening(_day(sentence) or Day.TODAY, _DEEP_NIGHT)
    if sentence.find(_TONIGHT):
        minute = _minute(sentence)
        return Opening(Day.TODAY, _EVENING if minute is None else minute)
    minute = _minute(sentence)
    day = _day(sentence)
    if day is not None:
        return Opening(day, None if day is Day.NOW else minute)
    if minute is not None:
        return Opening(Day.TODAY, minute)
    return Opening(Day.NOW) if any(word in _OPEN_WORDS for word in sentence.lower) else None


def _day(sentence: Sentence) -> Day | None:
    match = sentence.find(_DAY)
    if match is None:
        return None
    named = match[0].lower()
    if match[2]:
        return Day.NOW if named == "currently" else Day(named.removesuffix("s"))
    return next(day for day in Day if day.startswith(named[:3]))


def _minute(sentence: Sentence) -> int | None:
    match = sentence.find(_CLOCK)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or match[4] or 0), (match[3] or "").lower()
    if hour > (12 if half else 23) or minute > 59:
        return None
    return (hour % 12 + 12 * (half == "p") if half else hour) * 60 + minute
