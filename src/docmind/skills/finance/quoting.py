"""Which words of a sentence answer a question: what it says beyond what the question has said already."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from docmind.domain.documents import Span
from docmind.quality.quantities import Period, read
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.finance.analysis import Quote
from docmind.skills.finance.prose import ProseSentence
from docmind.skills.finance.terms import terms

_TOKEN = re.compile(r"[^\s]++")
_REASON = re.compile(
    r"\b(?:(?:primarily|mainly|largely|principally|partly) )?"
    r"(?:due to|because of|because|as a result of|driven by|attributable to|resulting from|in order to|owing to"
    r"|caused by|reflecting)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"^why\b|\bdue to\??$|\bcaused?\b|\breasons?\b|\bdriven by\??$", re.IGNORECASE)
_WHEN = re.compile(r"^(?:when|since when|on what date|in what year|what date)\b", re.IGNORECASE)
_LINKS = vocabulary("is are was were be been of as that")
_JOINTS = vocabulary("and the a an we which in at to our by for")
SHORTEST = 3
"""Words of a stretch that says something."""
_EDGES = " ,;:."


def quote_from(question: str, said: ProseSentence) -> Quote:
    """The date of a when, the cause of a why; else the longest stretch that the question does not say."""
    span = _date(question, said.text) or _cause(question, said.text) or _unsaid(question, said.text)
    start = said.span.start
    return Quote(span.of(said.text), Span(start + span.start, start + span.end), said.source)


def _date(question: str, text: str) -> Span | None:
    if not _WHEN.search(question):
        return None
    return next((mention.span for mention in read(text) if isinstance(mention, Period)), None)


def _cause(question: str, text: str) -> Span | None:
    found = _REASON.search(text) if _WHY.search(question) else None
    return _trimmed(text, found.start(), len(text)) if found is not None else None


def _unsaid(question: str, text: str) -> Span:
    """What follows the last word that the question has too; where nothing does, the longest run between such words."""
    asked = set(terms(question))
    words = {word.strip(_EDGES + "?\"'").lower() for word in question.split()} | _LINKS
    tokens = list(_TOKEN.finditer(text))
    matched = [asked.intersection(terms(token[0])) for token in tokens]
    new = [at for at, found in enumerate(matched) if found and not any(found <= earlier for earlier in matched[:at])]
    behind = [(new[-1] + 1, len(tokens))] if new else []
    bare = [_bare(tokens, run, words) for run in (*behind, *_between(new, len(tokens)))]
    start, end = next((run for run in bare if run[1] - run[0] >= SHORTEST), bare[-1])
    return _trimmed(text, tokens[start].start(), tokens[end - 1].end()) if start < end else Span(0, len(text))


def _bare(tokens: Sequence[re.Match[str]], run: tuple[int, int], words: Collection[str]) -> tuple[int, int]:
    """A run without the little words at its ends, which belong to what stands beside it."""
    start, end = run
    while start < end and tokens[start][0].strip(_EDGES).lower() in words:
        start += 1
    while start < end and tokens[end - 1][0].strip(_EDGES).lower() in _LINKS | _JOINTS:
        end -= 1
    return start, end


def _between(matched: Sequence[int], count: int) -> list[tuple[int, int]]:
    """The runs between matched words, the longest first."""
    edges = [-1, *matched, count]
    runs = [(left + 1, right) for left, right in pairwise(edges)]
    return sorted(runs, key=lambda run: run[0] - run[1])


def _trimmed(text: str, start: int, end: int) -> Span:
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    return Span(start, end)
