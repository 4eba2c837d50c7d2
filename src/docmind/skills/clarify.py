"""The skill that asks a person what is meant, with likely answers that the documents themselves have to offer."""

from collections.abc import Sequence

from docmind.domain.answers import Clarification
from docmind.domain.search import Hit
from docmind.skills.question.words import ASKING, AUXILIARIES, REQUESTS, read_words

MOST_OPTIONS = 4
NONE_OF_THESE = "None of these"
"""Offered where the documents have a single thing to offer: the question is then searched as it is."""
_LONGEST_OPTION = 120
_LONGEST_QUOTED = 160
_WHOLE_QUESTION = 4
"""Words from which on a reply that is built like a question is one."""


def unclear(message: str) -> str:
    """Asked before a search, where a message does not say what it is about."""
    return f"I am not sure what “{_short(message)}” is about. What do you mean?"


def unanswered(question: str) -> str:
    """Asked after searches that found no answer."""
    return (
        f"I found no answer to “{_short(question)}” that the documents bear out. "
        "Is it about one of these, or can you put it differently?"
    )


def clarification(question: str, hits: Sequence[Hit]) -> Clarification:
    """The question, with two to four of the places where the documents come nearest; without, if there are none."""
    options = list(dict.fromkeys(_label(hit)[:_LONGEST_OPTION] for hit in hits))[:MOST_OPTIONS]
    return Clarification(question=question, options=[*options, NONE_OF_THESE] if len(options) == 1 else options)


def chosen(reply: str, options: Sequence[str]) -> str:
    """The option that a reply names by its number or its words; else the reply as it is."""
    said = reply.strip()
    number = said.rstrip(".)")
    if number.isdecimal() and 1 <= int(number) <= len(options):
        return options[int(number) - 1]
    return next((option for option in options if option.casefold() == said.casefold()), said)


def explained(question: str, reply: str) -> str:
    """The question with what the person replied: a whole question takes its place, anything else narrows it."""
    words = read_words(reply)
    if not words or reply == NONE_OF_THESE:
        return question
    opening = words[0].lower in ASKING | AUXILIARIES | REQUESTS
    if len(words) >= _WHOLE_QUESTION and (opening or reply.rstrip().endswith("?")):
        return reply.strip()
    return f"{question.rstrip(' ?.!')} ({reply.strip(' ?.!')})?"


def _label(hit: Hit) -> str:
    title = hit.document.title
    return f"{title}: {hit.passage.heading[-1]}" if hit.passage.heading[-1:] not in ((), (title,)) else title


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST_QUOTED else f"{plain[: _LONGEST_QUOTED - 1]}…"
