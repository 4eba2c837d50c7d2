"""The words of a question that point to something said before it, and what a question offers them to take up."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import FUNCTION_WORDS, base_form
from docmind.skills.question.subject import VERBS, names, subject
from docmind.skills.question.words import AUXILIARIES, COPULAS, DETERMINERS, PREPOSITIONS, Word, read_words

Kind = Literal["he", "she", "it", "they", "that", "there"]
"""Whom a word can stand for; `that` is a thing or something that happened."""

_KINDS: dict[str, Kind] = {
    "he": "he", "him": "he", "his": "he", "himself": "he", "she": "she", "her": "she", "hers": "she",
    "herself": "she", "it": "it", "its": "it", "itself": "it", "they": "they", "them": "they", "their": "they",
    "theirs": "they", "themselves": "they", "this": "that", "that": "that", "these": "they", "those": "they",
    "there": "there",
}  # fmt: skip
_OWNING = vocabulary("his her its their hers theirs")
_ENDS_OWNING = PREPOSITIONS | AUXILIARIES | DETERMINERS | VERBS
_BEFORE_THAT = PREPOSITIONS | AUXILIARIES | vocabulary("and about what or")
_PERIODS = vocabulary("year quarter month week time period")
_REFLEXIVE = vocabulary("himself herself itself themselves")
_DEMONSTRATIVES = vocabulary("this that these those")
_SEEMING = vocabulary(
    "possible necessary recommended required true safe allowed better best important advisable ok rain rains cold late "
    "seem seems appear appears snow worth"
)
_ITSELF = vocabulary(
    "article document page section conversation chat text paper file report answer question thing things"
)
"""What is before the reader, or the talk itself: no name could stand for it."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A word that points back, and what it may stand for."""

    start: int
    """Its first word, by place in the question."""
    end: int
    kind: Kind
    owns: bool = False
    """It is followed by what belongs to what it stands for."""
    noun: str = ""
    """What "this" or "those" is said of, where it is said of something."""


def pointers(question: str) -> list[Pointer]:
    """Every word that points out of the question, in order; not one that takes up what the question says itself."""
    words = read_words(question)
    found = (_pointer_at(words, at) for at in range(len(words)))
    return [pointer for pointer in found if pointer is not None and not _is_within(words, pointer)]


def _is_within(words: Sequence[Word], pointer: Pointer) -> bool:
    """When was the VT-200 launched, and what is its price? A clause before says what a thing-word stands for."""
    if pointer.kind not in ("it", "they"):
        return False
    joints = [at for at, word in enumerate(words[: pointer.start]) if word.lower in ("and", "or", "but")]
    before = words[: joints[-1]] if joints else ()
    return any(word.lower not in FUNCTION_WORDS and word.lower not in _KINDS for word in before)


def _pointer_at(words: Sequence[Word], at: int) -> Pointer | None:
    lower = words[at].lower
    kind = _KINDS.get(lower.removesuffix("'s"))
    shouted = len(words[at].text) > 1 and words[at].text.isupper()
    if kind is None or lower in _REFLEXIVE or shouted:
        return None  # "IT" is a department
    following = words[at + 1].lower if at + 1 < len(words) and not words[at].closing else ""
    before = words[at - 1].lower if at else ""
    if kind == "there" and (not at or before in AUXILIARIES or following in AUXILIARIES):
        return None  # "is there", "there are"
    if lower in _DEMONSTRATIVES:
        return _demonstrative(words, at, kind, following)
    if kind == "it" and (_seems(words, at) or (following in ("take", "mean") and at + 2 < len(words))):
        return None
    # "her" and "his" own what follows them; at the end, or before a small word, they stand alone.
    owns = lower in _OWNING and bool(following) and following not in _ENDS_OWNING
    return Pointer(at, at + 1, kind, owns)


def _seems(words: Sequence[Word], at: int) -> bool:
    """Is it possible? For whom it is especially important."""
    following = [word.lower for word in words[at + 1 : at + 4]]
    near = following if following[:1] and following[0] in COPULAS else following[:1]
    return not _SEEMING.isdisjoint(near)


def _demonstrative(words: Sequence[Word], at: int, kind: Kind, following: str) -> Pointer | None:
    lower, before = words[at].lower, words[at - 1].lower if at else ""
    joining = lower == "that" and bool(before) and before not in _BEFORE_THAT
    if joining and following and following not in PREPOSITIONS:
        return None  # "the policy that applies", "say that it is"
    if lower in ("these", "those") and following.endswith("ed"):
        return None  # "those invited"
    if not following or following in AUXILIARIES | PREPOSITIONS | VERBS or following.endswith("ed"):
        return Pointer(at, at + 1, kind)
    if following in DETERMINERS | _ITSELF or (following in _PERIODS and lower == "this"):
        return None
    return Pointer(at, at + 2, kind, noun=following)


_LONGEST_PHRASE = 8
"""Words of a phrase: what is longer is a sentence."""
_EMPTY_WORDS = AUXILIARIES | vocabulary("else more other there")


def asked_about(question: str) -> str:
    """The thing that a question asks about; by its name alone where it has one. Empty where it cannot be told."""
    phrase = _without_verb(subject(question), question)
    phrase = phrase.removeprefix("many ").removeprefix("much ")
    words = read_words(phrase)
    if not words or len(words) > _LONGEST_PHRASE or pointers(phrase):
        return ""
    if words[0].lower in _EMPTY_WORDS or words[-1].lower in _EMPTY_WORDS:
        return ""
    # Behind something, a capital is no sign that a sentence begins.
    named = names(f"- {phrase}")
    return named[0].text if named and phrase.removeprefix("the ").startswith(named[0].text) else phrase


def _without_verb(phrase: str, question: str) -> str:
    """The verb at the end of a question is not a part of what it asks about: receipts kept, customers expect."""
    words, asked = read_words(phrase), read_words(question)
    if asked and asked[0].lower in ("which", "what") and not any(word.lower in AUXILIARIES for word in asked):
        return " ".join(word.text for word in words[:2])  # the competitor that delivers fastest
    if len(words) < 2 or words[-1].text != asked[-1].text:
        return phrase
    last = words[-1].lower
    done = base_form(last) != last and not last.endswith(("s", "ing"))
    forward = next((word.lower for word in asked[:_LONGEST_PHRASE] if word.lower in AUXILIARIES), "")
    acted = bool(forward) and forward not in COPULAS and not last.endswith("s")
    return " ".join(word.text for word in words[:-1]) if done or acted else phrase
