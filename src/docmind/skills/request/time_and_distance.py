"""When a facility has to be open, and how far it may be, as a request says it."""

import re

from docmind.corpus.facilities import Day, Opening
from docmind.skills.request.sentence import Sentence

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
_OPEN = frozenset({"open", "opened", "opens"})
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
    return Opening(Day.NOW) if any(word in _OPEN for word in sentence.lower) else None


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
