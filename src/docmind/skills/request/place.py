"""The place in a request: after a word that leads to one, as a town of the table, or as a name among plain words."""

import re

from docmind.corpus.facilities.directory import Directory
from docmind.corpus.facilities.places import COORDINATES
from docmind.corpus.facilities.spelling import fold
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import ASKING, AUXILIARIES, DETERMINERS, PERSONS, PRONOUNS, REQUESTS
from docmind.skills.request.sentence import Sentence

LONGEST_PLACE = 6
LONGEST_AREA = 3
_NEAR = vocabulary("near around nearby nearest")
_IN = vocabulary("in")
_WEAK = vocabulary("at by from to of for")
"""They lead to a place only where it looks like one."""
_HERE = vocabulary("me us here my our home")
_UNNAMED = vocabulary("nearest closest nearby")
_PLAIN = (
    ASKING | AUXILIARIES | DETERMINERS | PERSONS | PRONOUNS | REQUESTS | _NEAR | _IN | _WEAK | _HERE | _UNNAMED
    | vocabulary(
        "that who with and or but open opens opened closed opening hours offering offers offer providing provides "
        "having on within please now thanks thank any some need want looking look go going get there available close "
        "place places facility facilities phone number address telephone call directions way morning afternoon evening "
        "night week weekend emergency case area areas general radius away distance today tomorrow"
    )
)  # fmt: skip
_ENDS = ".?!;:)"


def read_place(sentence: Sentence, directory: Directory) -> tuple[str, bool]:
    """The place as written, and whether the request is relative to one that is not named."""
    decimal = sentence.find(_DECIMAL_COORDINATES)
    if decimal:
        return decimal[0], False
    for leading in (_NEAR, _IN, _WEAK):
        for at, word in enumerate(sentence.lower):
            if word in leading and (end := _end(sentence, at + 1, directory)) > at + 1:
                if leading is _WEAK and not _looks_like_place(sentence, at + 1, end, directory):
                    continue
                return _written(sentence, at + 1, end), False
    for start, end in sentence.windows(LONGEST_PLACE):
        if _is_known(sentence.phrase(start, end), directory):
            return _written(sentence, start, max(end, _end(sentence, start, directory))), False
    for start in range(1, len(sentence)):
        if sentence.words[start].text[:1].isupper() and (end := _end(sentence, start, directory)) > start:
            return _written(sentence, start, end), False
    return "", any(word in _UNNAMED for word in sentence.lower) or _is_relative(sentence)


_DECIMAL_COORDINATES = re.compile(rf"(?=[-+−]?\d{{1,3}}\.\d){COORDINATES.pattern}")


def _is_relative(sentence: Sentence) -> bool:
    pairs = zip(sentence.lower, sentence.lower[1:], strict=False)
    return any(word in _NEAR | {"in", "to", "by"} and following in _HERE for word, following in pairs)


def _end(sentence: Sentence, start: int, directory: Directory) -> int:
    """Where the run of words that can be a place ends; `start` where there is none."""
    at = start
    if at + 1 < len(sentence) and sentence.lower[at] == "the" and sentence.words[at + 1].text[:1].isupper():
        at += 1
    while at < min(len(sentence), start + LONGEST_PLACE) and sentence.is_free(at) and sentence.lower[at] not in _PLAIN:
        at += 1
        closing = sentence.words[at - 1].closing
        if any(mark in closing for mark in _ENDS) or ("," in closing and not _goes_on(sentence, at, directory)):
            break
    return at


def _goes_on(sentence: Sentence, at: int, directory: Directory) -> bool:
    """Whether what follows a comma still belongs to the place, as the state does in "Springfield, Illinois"."""
    if not sentence.is_free(at):
        return False
    written = sentence.words[at].text
    areas = (fold(sentence.phrase(at, at + length)) for length in range(1, LONGEST_AREA + 1))
    return written[:1].isupper() or len(written) == 2 or any(area in directory.areas for area in areas)


def _looks_like_place(sentence: Sentence, start: int, end: int, directory: Directory) -> bool:
    return sentence.words[start].text[:1].isupper() or _is_known(sentence.phrase(start, end), directory)


def _is_known(phrase: str, directory: Directory) -> bool:
    name = fold(phrase)
    if name in directory.town_names or name in directory.areas:
        return True
    return any(map(str.isdigit, phrase)) and len(name) > 2 and bool(directory.at_postcode(phrase))


def _written(sentence: Sentence, start: int, end: int) -> str:
    parts = [word.text + ("," if "," in word.closing else "") for word in sentence.words[start:end]]
    sentence.take(start, end)
    return " ".join(parts).rstrip(",")
