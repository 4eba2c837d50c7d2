"""Puts the parts of a question together: each to be searched alone, few, and nothing of the question lost."""

from dataclasses import dataclass

from docmind.quality.grounding.content_words import words
from docmind.skills.question.anaphora import points_back, resolve
from docmind.skills.question.clauses import Clause, clauses
from docmind.skills.question.cleaning import clean
from docmind.skills.question.comparison import COMPARING
from docmind.skills.question.names import names
from docmind.skills.question.spread import spread
from docmind.skills.question.words import ASKING, AUXILIARIES, POLITE, REQUESTS, read_words

MOST_PARTS = 4
"""Searches of one question: what asks for more is asked together at the end."""
_BEGINNERS = ASKING | AUXILIARIES | REQUESTS
_JOINING = COMPARING | POLITE | {"both", "plus", "respectively"}
"""Content to a reader, but to a search of the parts it says only that there are several."""


def parts(question: str) -> list[str]:
    """What to search for, 1 to 4 queries; a question that asks one thing is given back as it is."""
    asked = clean(question)
    if asked != question.strip():
        return [asked]  # not written as a question: its marks mean nothing
    found = _spread(_resolved(_few(clauses(asked))))
    return [asked] if len(found) < 2 or _lost(asked, found) else found


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One of several questions asked in a row."""

    text: str
    """As it was asked."""
    alone: str
    """With what it points back to written out."""


def questions(question: str) -> list[SubQuestion]:
    """The questions that are asked one after the other, each to be answered alone; mostly it is one."""
    asked = clean(question)
    found = _few(clauses(asked))
    alone = [_written(text) for text in _resolved(found)]
    if len(found) < 2 or asked != question.strip() or _lost(asked, alone):
        return [SubQuestion(question, question)]
    return [SubQuestion(_written(clause.whole), text) for clause, text in zip(found, alone, strict=True)]


def _few(found: list[Clause]) -> list[Clause]:
    if len(found) <= MOST_PARTS:
        return found
    first, *others = found[MOST_PARTS - 1 :]
    together = [first.text, *(clause.text if clause.frame == first.frame else clause.whole for clause in others)]
    return [*found[: MOST_PARTS - 1], Clause("; ".join(together), first.frame)]


def _resolved(found: list[Clause]) -> list[str]:
    whole: list[str] = []
    named = ""
    for clause in found:
        text = resolve(clause.text, named) if named else clause.text
        # What speaks of something unnamed itself explains nothing.
        if not points_back(clause.text) or (not named and names(clause.text)):
            named = clause.text
        whole.append(f"{clause.frame} {text}".strip())
    return whole


def _spread(found: list[str]) -> list[str]:
    queries: list[str] = []
    for at, clause in enumerate(found):
        room = MOST_PARTS - len(queries) - (len(found) - at - 1)
        queries += [_written(query) for query in spread(clause, room)]
    return list(dict.fromkeys(queries))


def _written(query: str) -> str:
    """As a question is written: with a capital where that changes no name, and a mark where it asks."""
    query = query.strip(" ,;:.?!")
    read = read_words(query)
    if not read:
        return query
    if read[0].text in _BEGINNERS:
        query = query[:1].upper() + query[1:]
    return query if read[0].lower in REQUESTS | {"i", "we"} else f"{query}?"


def _lost(question: str, found: list[str]) -> bool:
    """Whether some word of the question is in none of its parts."""
    kept = {word.key for query in found for word in words(query)}
    return any(word.key not in kept and word.text.lower() not in _JOINING for word in words(question))
