"""What a question is about, told from its order of words: the thing that a later "it" or "this change" takes up."""

from collections.abc import Sequence

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import (
    ASKING,
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    PERSONS,
    PREPOSITIONS,
    PRONOUNS,
    REQUESTS,
    Word,
    read_words,
)

VERBS = vocabulary(
    "affect apply become begin change compare consist contain contribute cost cover deal depend describe differ "
    "disclose do earn end expire get give grow handle happen have help impact imply include increase indicate "
    "influence last look make mean need offer pay perform provide receive reduce relate report require say send show "
    "spend start state store suggest support take tell use want work"
)
"""Those that questions put behind their subject, in the form that stands there."""
_STOPS = vocabulary("that which who when where if while because as")
_LONGEST = 8
"""Words of a subject: what is longer is a sentence."""
_LONGEST_MATTER = 14


def subject(clause: str) -> str:
    """What a clause asks about, as far as its order of words tells; empty where it tells nothing."""
    words = read_words(clause)
    if not words:
        return ""
    start = _subject_start(words)
    told = words[start:-1] if words[0].lower in COPULAS and len(words) > 3 else words[start:]
    phrase = _noun_phrase(told[:_LONGEST])
    asked_for = start == 1 and words[0].lower in ("what", "which")
    return _definite(f"a {phrase}" if phrase and asked_for else phrase)


def matter(clause: str) -> str:
    """All that a short clause asks about, of which "this change" may take up any part."""
    words = read_words(clause)
    start = _subject_start(words)
    if not start < len(words) <= start + _LONGEST_MATTER:
        return ""
    return _definite(clause[words[start].span.start : words[-1].span.end])


def _subject_start(words: Sequence[Word]) -> int:
    """Where the thing asked about begins: behind the verb that was put forward, or behind who asks."""
    lower = [word.lower for word in words]
    if lower[0] in REQUESTS:
        return 1 + (len(lower) > 1 and lower[1] in ("me", "us"))
    if lower[0] not in ASKING and lower[0] not in AUXILIARIES:
        return 0
    forward = next((at for at, word in enumerate(lower[:_LONGEST]) if word in AUXILIARIES), None)
    if lower[0] == "how" and lower[1:2] == ["to"]:
        return 3
    if forward is None:
        return _behind_verb(lower)
    if lower[0] in ("what", "which") and forward > 1:
        return 1
    at = forward + 1
    if at < len(lower) and lower[at] == "there":
        at += 1 + (lower[at + 1 : at + 2] == ["been"])
    if at < len(lower) and lower[at] in PERSONS:
        at += 2  # the person and what the person does
    return at


def _behind_verb(lower: Sequence[str]) -> int:
    """Who approves travel; what happens to the queue."""
    verb = len(lower) > 2 and lower[0] in ("what", "who") and lower[1].endswith(("s", "ed"))
    return 1 if not verb else 3 if lower[2] in PREPOSITIONS else 2


def _noun_phrase(words: Sequence[Word]) -> str:
    kept: list[Word] = []
    for word in words:
        lower = word.lower
        participle = lower.endswith("ed") and not lower.endswith("eed")
        if lower in PREPOSITIONS or lower in _STOPS:
            break
        if kept and (participle or lower in AUXILIARIES or lower in VERBS):
            break
        kept.append(word)
        if word.closing and not word.is_possessive:
            break
    while kept and (kept[-1].lower in DETERMINERS or kept[-1].lower in ("of", "and", "or")):
        kept.pop()
    if any(word.lower in PRONOUNS | PERSONS for word in kept):
        return ""
    return " ".join(word.text for word in kept)


def _definite(phrase: str) -> str:
    """What was "a key" is "the key" when it is spoken of again."""
    first, _, rest = phrase.partition(" ")
    return f"the {rest}" if rest and first.lower() in ("a", "an", "any") else phrase
