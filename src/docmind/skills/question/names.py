"""What a question is about by name: companies, products, codes, files, quoted terms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.question.times import times
from docmind.skills.question.words import AUXILIARIES, REQUESTS, Word, read_words

_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{1,120}+)[\"”»]|(?<!\w)['‘`]([^'‘’`]{1,120}+)['’`](?!\w)")
# A mark or a change of case within a word, or letters with digits: identifiers, file names, instance types.
_CODE = re.compile(r"[A-Za-z]\w*+[._/:@-]\w|(?=[\w-]*\d)[A-Za-z]|[a-z]++[A-Z]|[^\W_]++_\w")
_PLAIN = re.compile(r"(?:[A-Za-z][a-z]*+(?:[-/][A-Za-z][a-z]*+)++|[a-z]\.[a-z]\.?)$")
"""Ordinary words with a mark in them: follow-up, and/or, e.g."""
_WITHIN = vocabulary("of & de del der von van")
_NEVER = vocabulary("I OK Yes No Hi Hello Thanks Please") | {"I'm", "I'd", "I've"}
_MOSTLY = 0.7
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
    if not 0 < at < len(words) - 1 or words[at].text not in _WITHIN or words[at].closing:
        return False
    # "TFLOPS of ml.eia2.large" are two names.
    return _is_name(words, at + 1, shouting) and words[at - 1].text.istitle() and words[at + 1].text.istitle()


def _is_name(words: Sequence[Word], at: int, shouting: bool) -> bool:
    word = words[at]
    if is_code(word.bare):
        return True
    if shouting or not word.text[:1].isupper() or word.text in _NEVER:
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
    return capital > _MOSTLY * len(letters) and sum(word.text[:1].isupper() for word in small) > len(small) / 2
