"""Short messages about the newest answer: that again, the second one of its list, or the reason for it."""

import re
from dataclasses import dataclass

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.sentences import split
from docmind.quality.words import FUNCTION_WORDS, words
from docmind.skills.dialogue.history import Turn, unmarked
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.extract.compose import without_lead
from docmind.skills.question.words import ASKING, read_words

_AGAIN = vocabulary("repeat source sources page quote cite citation")
_REQUESTING = ASKING | vocabulary("can could please repeat say show")
_SAYING = vocabulary("say tell repeat show explain")
_STANDING = vocabulary("say says said written stand stands")
_SHORT_REQUEST = 4


def asks_again(message: str) -> bool:
    """Where does it say that? Which page is that on? Say that again. Sources?"""
    lower = [word.lower for word in read_words(message)]
    if not lower:
        return False
    if "where" in lower and not _STANDING.isdisjoint(lower):
        return True
    if "again" in lower and not _SAYING.isdisjoint(lower):
        return True
    leaning = bool(pointers(message)) or len(lower) <= _SHORT_REQUEST
    return leaning and not _AGAIN.isdisjoint(lower) and (lower[0] in _REQUESTING or len(lower) <= 2)


_PLACES = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "former": 0, "latter": -1, "last": -1,
}  # fmt: skip
_ORDINAL = r"first|1st|second|2nd|third|3rd|fourth|4th|fifth|5th"
_COUNTED = re.compile(rf"\bthe (?:({_ORDINAL}|last) (?:one|item|point|option)|(former|latter))\b", re.IGNORECASE)
_COUNTED_ALONE = re.compile(
    rf"(?:and |what about |how about |and what about )?(?:the )?({_ORDINAL}|last)(?: one)?\W{{0,3}}", re.IGNORECASE
)
_IN_QUESTION = re.compile(rf"\b({_ORDINAL})\b", re.IGNORECASE)
_CITATION_MARK = re.compile(r"\s?+\[\d{1,3}+(?:, ?+\d{1,3}+){0,9}+\]")
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
    alone = _COUNTED_ALONE.fullmatch(message.strip())
    match = alone or _COUNTED.search(message)
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
    alone = _COUNTED_ALONE.fullmatch(message.strip())
    asked = _IN_QUESTION.search(before)
    if alone is None or asked is None or alone[1].lower() == asked[1].lower():
        return ""
    return f"{before[: asked.start()]}{alone[1].lower()}{before[asked.end() :]}"


def items(answer: str) -> list[str]:
    """The things an answer lists: by lines, by semicolons, or in a row with "and" before the last."""
    plain = _CITATION_MARK.sub("", answer)
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


NO_REASON = "The documents found do not say why."
_WHY = vocabulary("why come")
_BESIDES = _WHY | vocabulary("how and but so ok okay then is was that this it exactly though")
_GIVING_REASON = vocabulary(
    "because since therefore thus hence due owing reason reasons cause caused causes purpose result results resulted "
    "driven led so order ensure ensures avoid avoids prevent prevents reduce reduces enable enables comply required law"
)
"""Words of which a sentence has one that gives a reason."""
_LONGEST_SENTENCE = 240


def asks_why(message: str) -> bool:
    """Why? But why is that? How come?"""
    lower = [word.lower for word in read_words(message)]
    return bool(lower) and not _WHY.isdisjoint(lower) and _BESIDES.issuperset(lower)


def why(before: Turn) -> str:
    """The question for the reason of what the answer before began with; empty where that cannot be asked."""
    first = next((sentence.text for sentence in split(without_lead(before.answer))), "")
    if not first or len(first) > _LONGEST_SENTENCE:
        return ""
    opening = first.partition(" ")[0].lower()
    # A name keeps its capital; what the question wrote small is none.
    plain = opening in FUNCTION_WORDS or opening in {word.text for word in read_words(before.question)}
    said = first[:1].lower() + first[1:] if plain else first
    return f"Why is it that {said.rstrip(' .!?')}?"


def gives_reason(draft: str, said: str) -> bool:
    """Whether a draft gives a reason and does not only repeat what was said."""
    text = unmarked(draft)
    new = {word.key for word in words(text)} - {word.key for word in words(said)}
    return bool(new) and not _GIVING_REASON.isdisjoint(word.lower for word in read_words(text))
