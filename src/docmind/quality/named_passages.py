"""Passages that an answer names in running text: "Passage 3 states that", "as mentioned in passages 1 and 2"."""

import re

from docmind.domain.documents import Span
from docmind.domain.verdicts import CitationForm, CitationMarker

_NUMBER = re.compile(r"[0-9]{1,3}+")
NAMED_PASSAGE = re.compile(
    r"(?i:\bpassage(?:s\s[0-9]{1,3}+(?:,\s[0-9]{1,3}+\b){0,8}+|\s#?+[0-9]{1,3}+)"
    r"(?:,?+\s(?:and|or|&)\s(?:passage\s)?+[0-9]{1,3}+)?+\b(?![.,]?+[0-9]))"
)
"""Only by this word: a document, a section or a source that is numbered may well be one of the text's own."""


def named_passages(text: str) -> list[CitationMarker]:
    """A marker for each passage named, in order; those named together share a span."""
    return [
        CitationMarker(CitationForm.DOC, str(int(number)), Span(match.start(), match.end()))
        for match in NAMED_PASSAGE.finditer(text)
        for number in _NUMBER.findall(match.group())
    ]
