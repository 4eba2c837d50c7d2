"""Reads what stands in a bracket: numbers, ids, or titles with pages; anything else cites nothing."""

import re
from collections.abc import Iterator, Sequence

from docmind.domain.documents import Span
from docmind.domain.verdicts import CitationForm, CitationMarker
from docmind.quality.citations.titles import normal

MAX_RANGE = 20
"""Of a longer range, which no answer needs, only the ends are taken."""

_SEPARATOR = re.compile(r"(?:[,;&]|\band\b)(?:\s?+and\b)?+")
_NUMBERS = re.compile(r"([0-9]{1,3}+)(?:\s?+[-–]\s?+([0-9]{1,3}+))?+")
LABEL = re.compile(
    r"(?:(?:refs?+|see|from|per|as \w{1,12}+ in):?+\s)?+"
    r"(?:documents?+|docs?+|passages?+|sources?+|chunks?+)(\.?+\s?+#?+)(?=[0-9])",
    re.IGNORECASE,
)
_PAGES = re.compile(r"\s?+(?:pages?+|pp?+\.?+)\s?+([0-9]{1,5}+)(?:\s?+[-–]\s?+([0-9]{1,5}+))?+\s?+", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_.:#-]{2,80}+")
_HEX = re.compile(r"[0-9a-f]{8,64}+")
_LABELLED = re.compile(r"(?:chunk|passage|source|src|ref|evidence|document|doc|node|id)[-.]?+[0-9]", re.IGNORECASE)
_SHORT = re.compile(r"[a-z][0-9]{1,4}+")
# Placeholders of our own answers and labels of floats: they number what is shown, not what is cited.
_NOT_IDS = ("chart:", "table:", "figure:", "image:", "formula:")


def read_bracket(text: str, span: Span) -> list[CitationMarker]:
    content = text[span.start + 1 : span.end - 1].strip()
    if content.count("\n") > 1:
        return []
    if text[span.start] == "(":
        if LABEL.match(content):
            return list(_elements(content, span))
        return list(_pages(content[4:], span)) if content[:4].lower() == "see " else []
    if _is_markup(text, span):
        return []
    markers = list(_elements(content, span))
    # [0] after a word is an index, and [0, 1] an interval; standing alone it is a citation that miscounts.
    counts_from_zero = any(marker.form is CitationForm.NUMBER and int(marker.target) == 0 for marker in markers)
    if counts_from_zero and (len(markers) > 1 or text[span.start - 1 : span.start].isalnum()):
        return []
    return markers


def _is_markup(text: str, span: Span) -> bool:
    """A link, an escaped bracket, or the line that defines a footnote."""
    if text.startswith("(", span.end) and text[span.end + 1 : span.end + 5].lower() != "see ":
        return True
    before = text[max(0, span.start - 1) : span.start]
    defines = text.startswith(":", span.end) and before in ("", "\n") and text[span.start + 1].isdigit()
    return defines or before == "\\"


def _elements(content: str, span: Span) -> Iterator[CitationMarker]:
    """What a bracket lists, or nothing where one element is not shaped like a citation."""
    markers: list[CitationMarker] = []
    form = CitationForm.NUMBER
    for element in map(str.strip, _SEPARATOR.split(content)):
        label = LABEL.match(element)
        numbers = _NUMBERS.fullmatch(element, label.end() if label else 0)
        if numbers and not (label and not label[1]):
            form = CitationForm.DOC if label else form
            markers += [CitationMarker(form, str(n), span) for n in _expand(numbers)]
        elif _is_id(element):
            markers.append(CitationMarker(CitationForm.ID, element, span))
        else:
            return
    yield from markers


def _expand(numbers: re.Match[str]) -> Sequence[int]:
    first = int(numbers[1])
    last = int(numbers[2] or first)
    return range(first, last + 1) if first <= last < first + MAX_RANGE else (first, last)


def _is_id(token: str) -> bool:
    """Ids mix letters and digits in ways that words such as COVID-19, Q4 or 10:30pm do not."""
    if _UUID.fullmatch(token):
        return True
    if not _TOKEN.fullmatch(token) or token.lower().startswith(_NOT_IDS):
        return False
    if token.isalpha() or not (any(map(str.isdigit, token)) and any(map(str.isalpha, token))):
        return False
    joined = "_" in token or "#" in token or (":" in token and token[0].isalpha())
    return joined or bool(_HEX.fullmatch(token) or _LABELLED.match(token) or _SHORT.fullmatch(token))


def _pages(content: str, span: Span) -> Iterator[CitationMarker]:
    """`title, page n`, several of them parted by semicolons."""
    markers: list[CitationMarker] = []
    for part in content.split(";"):
        title, _, tail = part.rpartition(",")
        pages = _PAGES.fullmatch(tail)
        title = title.strip(" \t\n*_\"'“”‘’")
        if not pages or not normal(title):
            return
        markers += [CitationMarker(CitationForm.PAGE, title, span, page) for page in _expand(pages)]
    yield from markers
