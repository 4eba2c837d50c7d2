"""What an answer must hold to answer a question: a kind of thing, and names that nothing similar will do for."""

import re
from dataclasses import dataclass

from docmind.skills.question import LONGEST, Intent, intent

_WHO = re.compile(r"(?:^|[,;:] )(?:by |with |from |to )?+who(?:m|se)?+\b")
_HOW_MANY = re.compile(r"\b(?:how many|number of)\b")
_ASKING = re.compile(r"\b(?:how|wh(?:at|en|ere|ich|o|om|ose|y))\b")
_JOINED = re.compile(r"[A-Za-z0-9]++(?:[._/:-][A-Za-z0-9]++)*+")


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    intent: Intent
    asks_who: bool
    asks_how_many: bool
    """Whether it asks for a count, and for nothing besides."""
    identifiers: tuple[str, ...]
    """Names such as `c5d.12xlarge`, in small letters: taken apart they would be found everywhere."""


def read_question(text: str) -> Question:
    looked_at = text[:LONGEST]
    plain = " ".join(looked_at.lower().split())
    wanted = intent(text)
    asks_who = wanted == "lookup" and _WHO.search(plain) is not None
    counts = wanted == "quantity" and _HOW_MANY.search(plain) is not None and len(_ASKING.findall(plain)) <= 1
    return Question(text, wanted, asks_who, counts, tuple(dict.fromkeys(_identifiers(looked_at))))


def stands_in(identifier: str, said: str) -> bool:
    """Whether it stands there whole, in small letters: `d2.xlarge` does not in `md2.xlarge`, nor `m3` in `m30`."""
    start = said.find(identifier)
    while start >= 0:
        end = start + len(identifier)
        if not (said[max(0, start - 1) : start].isalnum() or said[end : end + 1].isalnum()):
            return True
        start = said.find(identifier, end)
    return False


def _identifiers(text: str) -> list[str]:
    """Words of letters and digits; `multi-model` is a plain compound, and `1990s` or `2nd` a number."""
    joined = (word.lower() for word in _JOINED.findall(text))
    return [
        word
        for word in joined
        if any(map(str.isdigit, word)) and any(map(str.isalpha, word)) and not word.rstrip("sndrth").isdigit()
    ]
