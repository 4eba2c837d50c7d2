"""What the text around a table says of it: what it shows, and in which scale and currency."""

import re
from collections.abc import Sequence

from docmind.domain.documents import Passage
from docmind.quality.quantities import Terms, read_terms, usual_terms
from docmind.quality.quantities.unit_terms import NO_TERMS

_STATED = re.compile(r"\b(?:in|of)\s(?:\S{1,20}+\s){0,3}?(?:thousands|millions|billions)\b|['’]000", re.IGNORECASE)
_LEADS = re.compile(
    r":$|\b(?:as follows|following table|table below|tables? (?:shows?|presents?|sets?|summari))", re.IGNORECASE
)
LEADING_PASSAGES = 3
LONGEST_TITLE = 80
NEAR = 400
"""Characters at the end of a paragraph in which it leads over to a table."""


def lead_of(first: Passage, passages: Sequence[Passage]) -> str:
    """The headings above a table, and the lines of the nearest text before it that name it or lead over to it."""
    before = [passage for passage in passages if passage.kind == "text" and passage.ordinal < first.ordinal]
    lines = [line for passage in before[-LEADING_PASSAGES:] for line in passage.text.split("\n")]
    leading = (line for line in lines if len(line) <= LONGEST_TITLE or _LEADS.search(line[-NEAR:]))
    return " ".join((*first.heading[1:-1], *leading))


def terms_of(first: Passage, passages: Sequence[Passage]) -> Terms:
    """Scale and currency as the nearest text states them, before the table or after it; else as most captions do."""
    texts = [passage for passage in passages if passage.kind == "text"]
    before = [passage.text for passage in texts if passage.ordinal < first.ordinal]
    after = [passage.text for passage in texts if passage.ordinal > first.ordinal]
    for text in (*reversed(before), *after):
        for line in reversed(text.split("\n")):
            terms = read_terms(line[-NEAR:]) if _STATED.search(line[-NEAR:]) else NO_TERMS
            if terms.scale is not None:
                return Terms(terms.scale, terms.currency)
    return usual_terms({passage.heading[-1] for passage in passages if passage.kind == "table" and passage.heading})
