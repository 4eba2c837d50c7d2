"""Fills in a message that says only what is different: "what about 2024?", "and for contractors?", "why?"."""

import re

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.pointers import asked_about, pointers
from docmind.skills.question.subject import VERBS, Name, is_code, matter, names, times
from docmind.skills.question.words import ASKING, AUXILIARIES, DETERMINERS, PREPOSITIONS, REQUESTS, Word, read_words

_CONDITIONS = vocabulary("if when unless once while")
_BEFORE = re.compile(r"\b(?:year before|previous year|prior year|last year)\b", re.IGNORECASE)
_AFTER = re.compile(r"\b(?:year after|following year|next year)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,15}+(?:[.,]\d{1,15}+){0,4}+(?!\w|-\w)")
"""Not a part of a code: the 2026 of IC-2026-07 is no number."""


def instead(phrase: str, before: str) -> str:
    """The question before, with what the phrase is put in the place of."""
    words = read_words(phrase)
    if words[0].lower in _CONDITIONS:
        return _other_condition(words[0].lower, phrase, before)
    bare = phrase[words[1].span.start :] if words[0].lower in PREPOSITIONS and len(words) > 1 else phrase
    for replaced in (
        other_year(bare, before), _other_time(bare, before), _other_number(bare, before), _other_name(bare, before)
    ):  # fmt: skip
        if replaced:
            return replaced
    if bare != phrase:
        return _other_place(words[0].lower, phrase, before)
    asked = asked_about(before)
    noun = _without_determiner(asked)
    if asked and noun in before:
        return before.replace(noun, _without_determiner(phrase) if noun != asked else phrase, 1)
    return f"{before.strip(' ?.')} ({phrase})"


def other_year(phrase: str, before: str) -> str:
    """The question before with its years moved on or back, where the phrase says so; nothing where it had none."""
    years = -1 if _BEFORE.search(phrase) else 1 if _AFTER.search(phrase) else 0
    if not years or _YEAR.search(phrase) or not _YEAR.search(before):
        return ""
    return _YEAR.sub(lambda year: str(int(year[0]) + years), before)


def _other_time(phrase: str, before: str) -> str:
    new, old = times(phrase), times(before)
    if not new or new[0].text.strip() not in phrase:
        return ""
    if not old:
        return f"{before.strip(' ?.')} in {phrase}"
    return before[: old[0].span.start] + new[0].text + before[old[-1].span.end :]


def _other_number(phrase: str, before: str) -> str:
    new = _NUMBER.search(phrase)
    if new is None:
        return ""
    old = _NUMBER.search(before)
    if old is None:
        return f"{before.strip(' ?.')} for {phrase}"
    rest = phrase[new.end() :].strip()
    return before[: old.start()] + new[0] + before[old.end() :] + (f" ({rest})" if rest not in before else "")


def _other_name(phrase: str, before: str) -> str:
    new = names(f"- {phrase}")
    old = names(before)
    if not new or not old:
        return ""
    alike = sorted(old, key=lambda name: (_unlike(name, new[0]), -name.span.start))[0]
    written = _without_determiner(phrase) if _determined(before, alike) else phrase
    start, end = _listed(before, old, alike)
    following = read_words(before[end:])
    # "the Limerick plant" becomes "the Ostrava plant", but "the Netherlands" become "Germany".
    ends = not following or following[0].lower in PREPOSITIONS | AUXILIARIES
    if ends and written == phrase and before[:start].lower().endswith(" the "):
        start -= len("the ")
    return before[:start] + written + before[end:]


def _listed(before: str, found: list[Name], name: Name) -> tuple[int, int]:
    """The characters of a name and of those listed with it: another takes the place of them all."""
    start, end = name.span.start, name.span.end
    for other in found:
        if other.span.start >= end and before[end : other.span.start].strip(" ,") in ("and", "or", ""):
            end = other.span.end
    for other in reversed(found):
        if other.span.end <= start and before[other.span.end : start].strip(" ,") in ("and", "or", ""):
            start = other.span.start
    return start, end


def _unlike(one: Name, other: Name) -> int:
    different = (is_code(one.text) != is_code(other.text), one.text.isupper() != other.text.isupper())
    return 2 * sum(different) + abs(len(one.text.split()) - len(other.text.split()))


def _determined(before: str, name: Name) -> bool:
    words = read_words(before[: name.span.start])
    return bool(words) and words[-1].lower in DETERMINERS


def _other_place(preposition: str, phrase: str, before: str) -> str:
    """For contractors, where the question before had its own "for"; else said at its end."""
    words = read_words(before)
    at = next((at for at in range(len(words) - 1, 0, -1) if words[at].lower == preposition), None)
    if at is None:
        return f"{before.strip(' ?.')} {phrase}"
    stops = (n for n in range(at + 1, len(words)) if words[n].lower in PREPOSITIONS | AUXILIARIES)
    stop = next(stops, len(words))
    tail = before[words[stop].span.start :].strip(" ?.") if stop < len(words) else ""
    return f"{before[: words[at].span.start]}{phrase} {tail}".strip()


def _other_condition(joint: str, phrase: str, before: str) -> str:
    """And if it is late? in place of the condition that the question before had, or behind it."""
    at = f" {before.lower()} ".find(f" {joint} ")
    return f"{before[:at].strip() if at > 0 else before.strip(' ?.')} {phrase}"


def _without_determiner(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    return rest if rest and first.lower() in DETERMINERS else phrase


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
_LONGEST_FRAGMENT = 8
"""Words of a message that can be a part of a question; what is longer says its own."""
_NOT_THIS = re.compile(r"\bnot (?:the )?+[\w-]{1,40}+(?: [\w-]{1,40}+){0,2}+[,;] ?+(?:but )?+", re.IGNORECASE)


def is_fragment(message: str) -> bool:
    """Whether a message is a part of a question: introduced as one, or without a verb of its own."""
    words = read_words(message)
    if not words or len(words) > _LONGEST_FRAGMENT + 4:
        return False
    rest = _rest(words)
    if not rest:
        return False
    introduced = len(rest) < len(words) or _NOT_THIS.match(message) is not None
    if _has_verb(rest):
        return False
    if introduced and len(rest) <= _LONGEST_FRAGMENT:
        return True
    placed = words[0].lower in PREPOSITIONS and not any(word.lower in ASKING for word in words)
    return _is_bare(words) or (placed and len(words) <= _LONGEST_FRAGMENT and "?" in words[-1].closing)


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
    forward = next((at for at, word in enumerate(words[:_LONGEST_FRAGMENT]) if word.lower in AUXILIARIES), None)
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
