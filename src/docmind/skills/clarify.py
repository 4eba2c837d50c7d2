"""The skill that asks a person what is meant, with likely answers that the documents themselves have to offer."""

from collections.abc import Sequence

from docmind.domain.answers import Clarification
from docmind.domain.search import Hit
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import ASKING, AUXILIARIES, REQUESTS, read_words
from docmind.skills.survey import surveys

MOST_OPTIONS = 4
NONE_OF_THESE = "None of these"
"""Offered where the documents have a single thing to offer, or no answer."""
_LONGEST_OPTION = 120
_LONGEST_SECTION = 80
_LONGEST_QUOTED = 160
_WHOLE_QUESTION = 4
"""Words from which on a reply that is built like a question is one."""
_OTHERWISE = "Is it about one of these, or can you ask it another way?"
_OVERVIEW = "For an overview, ask in the strategy workflow. Or is it about one of these?"
_GIVING_UP = vocabulary("none no nothing neither nevermind never mind forget it skip cancel of these them that thanks")


def unclear(message: str, thing: str = "") -> str:
    """Asked before a search, where a message does not say what it is about, or which `thing` it points at."""
    if thing:
        return _which(thing)
    return f"I am not sure what “{_short(message)}” is about. What do you mean?"


def unanswered(question: str, thing: str = "") -> str:
    """Asked after searches that found no answer; where the question takes a `thing` as known, which one it is."""
    other = _which(thing) if thing else _OVERVIEW if surveys(question) else _OTHERWISE
    return f"I found no reliable answer to “{_short(question)}” in the documents. {other}"


def clarification(question: str, hits: Sequence[Hit], *, may_be_none: bool = False) -> Clarification:
    """The question, with up to four of the places where the documents come nearest; without, if there are none.

    With `may_be_none` a person can also say that it is about none of them.
    """
    most = MOST_OPTIONS - 1 if may_be_none else MOST_OPTIONS
    options = list(dict.fromkeys(_label(hit)[:_LONGEST_OPTION] for hit in hits))[:most]
    offers_none = len(options) == 1 or (options and may_be_none)
    return Clarification(question=question, options=[*options, NONE_OF_THESE] if offers_none else options)


def chosen(reply: str, options: Sequence[str]) -> str:
    """The option that a reply names by its number or its words; else the reply as it is."""
    said = reply.strip()
    number = said.rstrip(".)")
    if number.isdecimal() and 1 <= int(number) <= len(options):
        return options[int(number) - 1]
    return next((option for option in options if option.casefold() == said.casefold()), said)


def explained(question: str, reply: str) -> str:
    """The question with what the person replied: a whole question takes its place, anything else narrows it."""
    if gives_up(reply):
        return question
    if is_question(reply):
        return reply.strip()
    return f"{question.rstrip(' ?.!')} ({reply.strip(' ?.!')})?"


def is_question(reply: str) -> bool:
    """Whether a reply asks something of its own, instead of saying what was meant."""
    words = read_words(reply)
    opens = bool(words) and words[0].lower in ASKING | AUXILIARIES | REQUESTS
    ends = reply.rstrip().endswith("?")
    # Who opens and ends like a question has asked one in three words.
    return len(words) >= _WHOLE_QUESTION - (opens and ends) and (opens or ends)


def gives_up(reply: str) -> bool:
    """None of these. Never mind. No, thanks."""
    return _GIVING_UP.issuperset(word.lower for word in read_words(reply))


def _which(thing: str) -> str:
    return f"Which {_short(thing)} do you mean?"


def _label(hit: Hit) -> str:
    """The document and the section of it, where that has a name of its own that fits on a line."""
    title, section = hit.document.title, (hit.passage.heading or ("",))[-1]
    says_more = section and not section.startswith(title) and len(section) <= _LONGEST_SECTION
    return f"{title}: {section}" if says_more else title


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_QUOTED else f"{plain[: _LONGEST_QUOTED - 1]}…"
