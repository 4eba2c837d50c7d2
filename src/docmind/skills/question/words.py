"""The words of a question, cleaned and with the marks around them, and the closed classes that give it its shape."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.documents import Span
from docmind.quality.quantities.tokens import vocabulary

LONGEST = 2_000
"""Characters of a question that is taken apart: what is longer is a document, and is searched as one."""
_NOISE = frozenset({"Cc", "Cs", "Cn", "Co"})
_UNREADABLE = "\ufffd"


def clean(question: str) -> str:
    """The question as text that can be searched: no control characters, no endless length, both its ends kept."""
    if len(question) > LONGEST:
        half = LONGEST // 2 - 1
        question = f"{question[:half].rsplit(None, 1)[0]} {question[-half:].split(None, 1)[-1]}"
    return "".join(character if _is_text(character) else " " for character in question).strip()


def _is_text(character: str) -> bool:
    return character in "\r\n\t" or not (character == _UNREADABLE or unicodedata.category(character) in _NOISE)


_CHUNK = re.compile(r"\S++")
_OPENING = "\"'“‘([{«`*_"
_CLOSING = "\"'”’)]}»`*_,;:.!?…"
_INITIALS = re.compile(r"(?:[A-Za-z]\.){2,8}+$")

ASKING = vocabulary("what which who whom whose when where why how")
COPULAS = vocabulary("is are was were isn't aren't wasn't weren't")
AUXILIARIES = COPULAS | vocabulary(
    "do does did don't doesn't didn't has have had hasn't haven't can could can't couldn't will would won't wouldn't "
    "shall should shouldn't may might must"
)
REQUESTS = vocabulary(
    "analyze analyse assess calculate compare compute contrast correlate define describe discuss enumerate evaluate "
    "examine explain find give highlight identify list name outline provide recommend show state summarize summarise "
    "tell"
)
PERSONS = vocabulary("i we you one someone somebody he she")
"""Who asks or acts: never what a question is about."""
PRONOUNS = vocabulary("it its they them their he she him his her")
DETERMINERS = vocabulary("the a an my our your any all each every this that these those his her its their no some")
PREPOSITIONS = vocabulary(
    "about above across after against among around as at before behind below between beyond by during for from in "
    "inside into on onto outside over per regarding since through throughout to toward towards under until upon via "
    "with within without"
)
POLITE = vocabulary("please also then and but so additionally furthermore moreover finally secondly thirdly")


@dataclass(frozen=True, slots=True)
class Word:
    """A word without the marks around it."""

    text: str
    span: Span
    closing: str
    """The marks that follow it."""
    opening: str = ""

    @property
    def lower(self) -> str:
        return self.text.lower().replace("’", "'")

    @property
    def is_possessive(self) -> bool:
        return self.lower.endswith(("'s", "s'"))

    @property
    def bare(self) -> str:
        """Without the ending that makes it a possessive."""
        return self.text[:-2] if self.lower.endswith("'s") else self.text.rstrip("'’")


def read_words(text: str) -> list[Word]:
    """The words in order; marks that stand alone close the word before them."""
    found: list[Word] = []
    for match in _CHUNK.finditer(text):
        chunk = match[0]
        core = chunk.lstrip(_OPENING)
        start = match.start() + len(chunk) - len(core)
        initials = _INITIALS.match(core)
        core = initials[0] if initials else core.rstrip(_CLOSING)
        if core:
            closing = text[start + len(core) : match.end()]
            found.append(Word(core, Span(start, start + len(core)), closing, text[match.start() : start]))
        elif found:
            last = found[-1]
            found[-1] = Word(last.text, last.span, last.closing + chunk, last.opening)
    return found


def opens(words: Sequence[Word], at: int) -> bool:
    """Whether a question or a request can begin at this word."""
    if at >= len(words):
        return False
    word, following = words[at].lower, words[at + 1].lower if at + 1 < len(words) else ""
    if word in ("when", "whose", "who", "which"):
        # "When I stop it" is a condition; "who reports" is a question only where nothing says otherwise.
        return word != "when" or following in AUXILIARIES or following == "to"
    if word in AUXILIARIES:
        return takes_subject(words, at)
    return word in ASKING or word in ("what's", "who's", "where's", "how's") or word in REQUESTS


def takes_subject(words: Sequence[Word], at: int) -> bool:
    """Whether the auxiliary at `at` is put before its subject, as questions do."""
    if at + 1 >= len(words):
        return False
    following = words[at + 1]
    if following.lower in PERSONS or following.lower in ("it", "they", "there"):
        return True
    # "and have the manager sign" goes on with a verb, "and do the rest" too.
    if words[at].lower in ("have", "has", "had", "do"):
        return following.text[:1].isupper() or following.is_possessive
    return following.lower in DETERMINERS or following.text[:1].isupper() or following.is_possessive
