"""What a message speaks of as if it were known, "this animal" or "the hurricane", though nobody has named one."""

from collections.abc import Iterator, Sequence

from docmind.quality.forms import base_form
from docmind.quality.grounding.content_words import words
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.dialogue.antecedents import is_plural
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.question.subject import VERBS
from docmind.skills.question.words import ASKING, AUXILIARIES, DETERMINERS, PREPOSITIONS, Word, read_words

_LONGEST = 4
_ENDS = PREPOSITIONS | AUXILIARIES | DETERMINERS | ASKING | VERBS | vocabulary("of and or but that if too also")
_TELLING = vocabulary("of that which who for between about")
"""Behind a phrase these say which one it is."""
_SINGLE = vocabulary(
    "same other only first second third last next previous former latter best most least whole rest end beginning "
    "future past present time way world internet sun moon"
)
"""Of these there is one, or the word itself says which."""


def pointed_at(message: str, history: History) -> str:
    """The thing that "this" or "those" is said of, where the conversation has not named any; empty where it has."""
    said = _said(history)
    # "Those open" are not called open: a word that does not agree in number is no name of what is pointed at.
    agreeing = (one.noun for one in pointers(message) if one.noun and is_plural(one.noun) == (one.kind == "they"))
    return next((noun for noun in agreeing if noun not in FUNCTION_WORDS and _is_new(noun, said)), "")


def taken_as_known(message: str, history: History) -> str:
    """The one thing that "the" is said of with nothing to tell which, where the conversation has not named any."""
    said, phrases = _said(history), _phrases(read_words(message))
    return next((phrase for phrase in phrases if _is_new(phrase, said) and not is_plural(phrase)), "")


def _said(history: History) -> set[str]:
    turns = (f"{turn.asked} {turn.question} {turn.answer}" for turn in history.turns)
    return {word.key for word in words(" ".join((history.earlier, *turns)))}


def _is_new(phrase: str, said: set[str]) -> bool:
    keys = {word.key for word in words(phrase)}
    return bool(keys) and keys.isdisjoint(said)


def _phrases(read: Sequence[Word]) -> Iterator[str]:
    """What stands behind each "the", up to whose it is: of the hurricane's impact, the hurricane."""
    for at, word in enumerate(read):
        if word.lower != "the":
            continue
        end = _end(read, at + 1)
        phrase = read[at + 1 : end]
        told = end < len(read) and not read[end - 1].closing and read[end].lower in _TELLING
        if not phrase or told or any(_names(one) for one in phrase):
            continue
        owner = next((place for place, one in enumerate(phrase) if one.is_possessive), len(phrase) - 1)
        yield " ".join(one.bare for one in phrase[: owner + 1])


def _end(read: Sequence[Word], start: int) -> int:
    end = start
    while end < min(len(read), start + _LONGEST) and read[end].lower not in _ENDS:
        if end > start and _is_done(read[end].lower):
            break
        end += 1
        if read[end - 1].closing:
            break
    return end


def _is_done(word: str) -> bool:
    """Launched, born: what is told of the thing, not a part of its name."""
    # The base form of a word is without its last e, so that this tells nothing of a word that ends in one.
    return word == "born" or (base_form(word) != word and not word.endswith(("s", "ing", "e")))


def _names(word: Word) -> bool:
    """Whether a word tells which one is meant by itself."""
    return word.text[:1].isupper() or any(map(str.isdigit, word.text)) or word.lower in _SINGLE
