"""What a question is about: its times and names, and the thing that its order of words tells."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.quantities import Period, read
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import FUNCTION_WORDS
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

# A filing by its time is a time too: "the latest 10-Q".
_RELATIVE_TIME = re.compile(
    r"\b(?:[Tt]he )?+(?:(?:latest|most recent|last|past|previous|prior|preceding|current|coming|next|this|these|each|"
    r"every) )(?:[\w-]{1,20}+ ){0,2}?(?:quarters?|years?|months?|weeks?|days?|periods?|10-[QK]s?|filings?|reports?)\b"
    r"|\b(?:[Tt]he )?+(?:reported|reporting|historical|comparable) (?:quarters?|years?|months?|periods?)\b"
    r"|\b(?:over time|year to date|year-to-date|today|yesterday|tomorrow|currently|right now|to date|so far)\b"
    r"|\b(?:quarter|year|month|period) (?:to|over|by|on) (?:quarter|year|month|period)\b"
)


@dataclass(frozen=True, slots=True)
class Time:
    """A time as the question names it; `period` where it can be told without knowing today."""

    text: str
    span: Span
    period: Period | None = None


def times(text: str) -> list[Time]:
    """Every time named, in order."""
    found = [Time(m.text, m.span, m) for m in read(text) if isinstance(m, Period)]
    taken = {place for time in found for place in range(time.span.start, time.span.end)}
    for match in _RELATIVE_TIME.finditer(text):
        if taken.isdisjoint(range(*match.span())):
            found.append(Time(match[0], Span(*match.span())))
    return sorted(found, key=lambda time: time.span)


_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{1,120}+)[\"”»]|(?<!\w)['‘`]([^'‘’`]{1,120}+)['’`](?!\w)")
# A mark or a change of case within a word, or letters with digits: identifiers, file names, instance types.
_CODE = re.compile(r"[A-Za-z]\w*+[._/:@-]\w|(?=[\w-]*\d)[A-Za-z]|[a-z]++[A-Z]|[^\W_]++_\w")
_PLAIN = re.compile(r"(?:[A-Za-z][a-z]*+(?:[-/][A-Za-z][a-z]*+)++|[a-z]\.[a-z]\.?)$")
"""Ordinary words with a mark in them: follow-up, and/or, e.g."""
_WITHIN_NAMES = vocabulary("of & de del der von van")
_NEVER_NAMES = vocabulary("I OK Yes No Hi Hello Thanks Please") | {"I'm", "I'd", "I've"}
_MOSTLY_CAPITALS = 0.7
_LONGEST_CODE = 200


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written, without the ending of a possessive."""

    text: str
    span: Span


def names(text: str) -> list[Name]:
    """Every name, in order. Times are none, nor is a word with a capital only because the question begins there."""
    quoted = [_quoted(match) for match in _QUOTED.finditer(text)]
    spans = [name.span for name in quoted] + [time.span for time in times(text) if time.period]
    taken = {place for span in spans for place in range(span.start, span.end)}
    words = [word for word in read_words(text) if word.span.start not in taken]
    return sorted([*quoted, *_runs(text, words)], key=lambda name: name.span)


def _quoted(match: re.Match[str]) -> Name:
    group = 1 if match[1] is not None else 2
    return Name(match[group], Span(*match.span(group)))


def _runs(text: str, words: Sequence[Word]) -> Iterator[Name]:
    shouting = _is_shouting(words)
    first: int | None = None
    for at in range(len(words) + 1):
        named = at < len(words) and _is_name(words, at, shouting)
        if first is not None and not (_follows(text, words, at) and (named or _bridges(words, at, shouting))):
            span = Span(words[first].span.start, words[at - 1].span.start + len(words[at - 1].bare))
            yield Name(span.of(text), span)
            first = None
        if named and first is None:
            first = at


def _follows(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether the word carries on the name that the word before belongs to."""
    if at >= len(words) or words[at - 1].is_possessive:
        return False
    return text[words[at - 1].span.end : words[at].span.start].isspace()


def _bridges(words: Sequence[Word], at: int, shouting: bool) -> bool:
    """Small words within a name: Bank of America."""
    if not 0 < at < len(words) - 1 or words[at].text not in _WITHIN_NAMES or words[at].closing:
        return False
    # "TFLOPS of ml.eia2.large" are two names.
    return _is_name(words, at + 1, shouting) and words[at - 1].text.istitle() and words[at + 1].text.istitle()


def _is_name(words: Sequence[Word], at: int, shouting: bool) -> bool:
    word = words[at]
    if is_code(word.bare):
        return True
    if shouting or not word.text[:1].isupper() or word.text in _NEVER_NAMES:
        return False
    if word.bare.isupper() and len(word.bare) > 1:
        return True
    if not _begins(words, at):
        return True
    plain = word.lower.replace("'s", "")
    if plain in FUNCTION_WORDS or plain in AUXILIARIES or plain in REQUESTS or plain.endswith("ing"):
        return False
    carried_on = at + 1 < len(words) and words[at + 1].text[:1].isupper() and not word.closing
    return word.is_possessive or carried_on


def _begins(words: Sequence[Word], at: int) -> bool:
    return at == 0 or any(mark in words[at - 1].closing for mark in ".?!:")


def is_code(text: str) -> bool:
    """A word no one would write for its sound: c5d.12xlarge, runtime_InvokeEndpoint, ec2, report.pdf."""
    return len(text) <= _LONGEST_CODE and bool(_CODE.match(text)) and not _PLAIN.match(text)


def _is_shouting(words: Sequence[Word]) -> bool:
    """Whether capitals say nothing, because nearly every word has one."""
    letters = [word for word in words[1:] if word.text[:1].isalpha()]
    capital = sum(word.text[:1].isupper() for word in letters)
    small = [word for word in letters if word.lower in FUNCTION_WORDS]
    if len(letters) < 4 or not small:
        return False
    return capital > _MOSTLY_CAPITALS * len(letters) and sum(word.text[:1].isupper() for word in small) > len(small) / 2


VERBS = vocabulary(
    "affect apply become begin change compare consist contain contribute cost cover deal depend describe differ "
    "disclose do earn end expire get give grow handle happen have help impact imply include increase indicate "
    "influence last look make mean need offer pay perform provide receive reduce relate report require say send show "
    "spend start state store suggest support take tell use want work"
)
"""Those that questions put behind their subject, in the form that stands there."""
_SUBJECT_STOPS = vocabulary("that which who when where if while because as")
_LONGEST_SUBJECT = 8
"""Words of a subject: what is longer is a sentence."""
_LONGEST_MATTER = 14


def subject(clause: str) -> str:
    """What a clause asks about, as far as its order of words tells; empty where it tells nothing."""
    words = read_words(clause)
    if not words:
        return ""
    start = _subject_start(words)
    told = words[start:-1] if words[0].lower in COPULAS and len(words) > 3 else words[start:]
    phrase = _noun_phrase(told[:_LONGEST_SUBJECT])
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
    forward = next((at for at, word in enumerate(lower[:_LONGEST_SUBJECT]) if word in AUXILIARIES), None)
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
        if lower in PREPOSITIONS or lower in _SUBJECT_STOPS:
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
