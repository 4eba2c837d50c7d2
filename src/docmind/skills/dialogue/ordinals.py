"""What "the second one" or "the latter" counts: an item of the newest answer, or another number in the question."""

import re
from dataclasses import dataclass

from docmind.skills.dialogue.history import Turn

_PLACES = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "former": 0, "latter": -1, "last": -1,
}  # fmt: skip
_ORDINAL = r"first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th"
_ONE = re.compile(rf"\bthe (?:({_ORDINAL}|last) (?:one|item|point|option)|(former|latter))\b", re.IGNORECASE)
_ALONE = re.compile(
    rf"(?:and |what about |how about |and what about )?(?:the )?({_ORDINAL}|last)(?: one)?\W{{0,3}}", re.IGNORECASE
)
_IN_QUESTION = re.compile(rf"\b({_ORDINAL})\b", re.IGNORECASE)
_MARK = re.compile(r"\s?+\[\d{1,3}+(?:, ?+\d{1,3}+){0,9}+\]")
_LISTED = re.compile(r"(?:^|\n)[ \t]{0,8}+(?:[-*•]|\d{1,2}+[.)])[ \t]{1,8}+([^\n]{1,400}+)")
_SERIES = re.compile(r"(?:[^,;:.\n]{1,80}+, ){1,8}+(?:[^,;:.\n]{1,80}? )?and [^,;:.\n]{1,80}+")
_LONGEST_ITEM = 120


@dataclass(frozen=True, slots=True)
class OrdinalReference:
    """Where a message counts, and what it comes to."""

    start: int
    end: int
    item: str
    alone: bool
    """The message says nothing else."""


def counted(message: str, before: Turn) -> OrdinalReference | None:
    """What the message counts, if it counts something that is there."""
    alone = _ALONE.fullmatch(message.strip())
    match = alone or _ONE.search(message)
    if match is None:
        return None
    word = next(group for group in match.groups() if group).lower()
    found = items(before.answer)
    place = _PLACES[word]
    if len(found) < 2 or place >= len(found):
        return None
    return OrdinalReference(match.start(), match.end(), found[place][:_LONGEST_ITEM], alone is not None)


def next_in_question(message: str, before: str) -> str:
    """What was the first condition? And the second? Then the question is the same, of another number."""
    alone = _ALONE.fullmatch(message.strip())
    asked = _IN_QUESTION.search(before)
    if alone is None or asked is None or alone[1].lower() == asked[1].lower():
        return ""
    return f"{before[: asked.start()]}{alone[1].lower()}{before[asked.end() :]}"


def items(answer: str) -> list[str]:
    """The things an answer lists: by lines, by semicolons, or in a row with "and" before the last."""
    plain = _MARK.sub("", answer)
    listed = [match[1].strip(" .;,") for match in _LISTED.finditer(plain)]
    if len(listed) > 1:
        return listed
    parts = [part.strip(" .\n") for part in plain.split(";") if part.strip(" .\n")]
    if len(parts) > 2:
        return [parts[0].rsplit(":", 1)[-1].strip(), *parts[1:]]
    series = _SERIES.search(plain)
    if series is None:
        return []
    *first, last = series[0].split(", ")
    return [part.strip() for part in (*first, *re.split(r"\band\b", last)) if part.strip()]
