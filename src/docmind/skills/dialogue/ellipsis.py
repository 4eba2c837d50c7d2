"""Fills in a message that says only what is different: "what about 2024?", "and for contractors?", "why?"."""

import re

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.foreground import asked_about
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.dialogue.substitution import instead
from docmind.skills.question.subject import VERBS, matter
from docmind.skills.question.words import ASKING, AUXILIARIES, PREPOSITIONS, REQUESTS, Word, read_words

_LEADS = tuple(
    tuple(lead.split())
    for lead in (
        "and what about", "but what about", "so what about", "ok what about", "okay what about", "what about",
        "and how about", "how about", "same question for", "the same for", "same for", "and the same for",
        "no i meant", "no i mean", "sorry i meant", "sorry i mean", "i meant", "i mean", "actually i meant",
        "no", "sorry", "actually", "rather", "instead", "not that", "and", "but", "or", "ok and", "okay and", "then",
    )
)  # fmt: skip
_CORRECTING = vocabulary("meant mean no sorry actually rather instead not")
_HOW = vocabulary("much many long far often exactly so come else old big")
_LONGEST = 8
"""Words of a message that can be a part of a question; what is longer says its own."""
_NOT_THIS = re.compile(r"\bnot (?:the )?+[\w-]{1,40}+(?: [\w-]{1,40}+){0,2}+[,;] ?+(?:but )?+", re.IGNORECASE)


def is_fragment(message: str) -> bool:
    """Whether a message is a part of a question: introduced as one, or without a verb of its own."""
    words = read_words(message)
    if not words or len(words) > _LONGEST + 4:
        return False
    rest = _rest(words)
    if not rest:
        return False
    introduced = len(rest) < len(words) or _NOT_THIS.match(message) is not None
    if _has_verb(rest):
        return False
    if introduced and len(rest) <= _LONGEST:
        return True
    placed = words[0].lower in PREPOSITIONS and not any(word.lower in ASKING for word in words)
    return _is_bare(words) or (placed and len(words) <= _LONGEST and "?" in words[-1].closing)


def completed(message: str, before: str) -> str:
    """The question that a fragment stands for, after the whole question `before`."""
    words = read_words(message)
    rest = _rest(words)
    if _is_bare(rest):
        return _asked_of(message[rest[0].span.start : rest[-1].span.end], before)
    phrase = _NOT_THIS.sub("", message[rest[0].span.start : rest[-1].span.end]).strip()
    return _as_question(instead(phrase, before))


def _is_bare(words: list[Word]) -> bool:
    """Why? By whom? Since when exactly? How much?"""
    lower = [word.lower for word in words]
    return len(lower) <= 4 and not ASKING.isdisjoint(lower) and (ASKING | PREPOSITIONS | _HOW).issuperset(lower)


def _rest(words: list[Word]) -> list[Word]:
    """The message without the words that only say that it goes on."""
    lower = [word.lower for word in words]
    for lead in _LEADS:
        if tuple(lower[: len(lead)]) == lead:
            following = words[len(lead) :]
            correcting = not _CORRECTING.isdisjoint(lead)
            return _rest(following) if correcting and len(following) > 1 else following
    return words


def _has_verb(words: list[Word]) -> bool:
    lower = [word.lower for word in words]
    if lower[0] == "who" and lower[1:] and lower[1] not in PREPOSITIONS | _HOW:
        return True
    return any(word in AUXILIARIES or (word in VERBS and at) for at, word in enumerate(lower)) or lower[0] in REQUESTS


def _asked_of(asking: str, before: str) -> str:
    """Why? of what was asked before: its question word gives way to the new one."""
    words = read_words(before)
    forward = next((at for at, word in enumerate(words[:_LONGEST]) if word.lower in AUXILIARIES), None)
    asking = asking[:1].upper() + asking[1:]
    if forward is None or words[0].lower not in ASKING:
        return _as_question(f"{asking} ({before.strip(' ?.')})")
    dropped = [word.text for word in words[1:forward]]
    told = before[words[forward].span.start :].strip(" ?.")
    return _as_question(f"{asking} {told}" + (f" ({' '.join(dropped)})" if dropped else ""))


def _as_question(text: str) -> str:
    return f"{text.strip(' ?.,;')}?"


def carried(message: str, before: str) -> str:
    """A message that points to something nobody named, with what was asked before in brackets."""
    said = before.partition(" (")[0]
    about = next((one for one in (matter(said), asked_about(said)) if one and not pointers(one)), "")
    return f"{message.rstrip(' ?.!')} ({about})?" if about and about.lower() not in message.lower() else message
