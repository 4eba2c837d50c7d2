"""Citations in an answer: which brackets and words are one, and which passage each leads to."""

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from docmind.domain.documents import Document, Passage, Span
from docmind.domain.verdicts import CitationForm, CitationMarker, CitationProblem, ResolvedCitation
from docmind.quality.markdown import Unit, UnitKind, units


def title_key(title: str) -> str:
    """A title as its words alone: case, accents' encoding, punctuation and spacing do not tell titles apart."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())


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
        if not pages or not title_key(title):
            return
        markers += [CitationMarker(CitationForm.PAGE, title, span, page) for page in _expand(pages)]
    yield from markers


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


MAX_BRACKET_CHARS = 600
"""A bracket that does not close within this is no citation; some ten ids fit."""

_BRACKET = re.compile(r"[\[(]")
_SQUARE = re.compile(r"[\[\]]")
_ROUND = re.compile(r"[()]")
_TICKS = re.compile(r"`++")


def find(text: str, layout: Sequence[Unit] | None = None) -> list[CitationMarker]:
    """The citations of a text in order; brackets in code, links and other bracketed words are none.

    `layout` is the text's units, where they are known already.
    """
    named = named_passages(text)
    if not named and _BRACKET.search(text) is None:
        return []
    found: list[CitationMarker] = []
    code = _code(text, units(text) if layout is None else layout)
    starts = [span.start for span in code]
    position, reference = 0, -1
    while opening := _BRACKET.search(text, position):
        start = opening.start()
        position = start + 1
        inside = bisect_right(starts, start) - 1
        if inside >= 0 and start < code[inside].end:
            position = code[inside].end
            continue
        close = _close(text, start)
        if close < 0:
            continue
        markers = read_bracket(text, Span(start, close + 1)) if start != reference else []
        if markers:
            found += markers
            position = close + 1
        elif text[start] == "[":
            # What follows directly on a bracket that cites nothing is the other half of a link.
            reference = close + 1
    taken = sorted([*code, *dict.fromkeys(marker.span for marker in found)])
    return sorted([*found, *(marker for marker in named if not _lies_in(marker.span, taken))], key=_start)


def _start(marker: CitationMarker) -> int:
    return marker.span.start


def _lies_in(span: Span, taken: Sequence[Span]) -> bool:
    before = bisect_right(taken, span.start, key=lambda one: one.start) - 1
    return before >= 0 and span.start < taken[before].end


def _code(text: str, layout: Sequence[Unit]) -> list[Span]:
    """Code blocks, and what stands between back ticks within one unit."""
    found: list[Span] = []
    for unit in layout:
        if unit.kind is UnitKind.CODE:
            found.append(unit.span)
        elif text.find("`", unit.span.start, unit.span.end) >= 0:
            ticks = [match.start() for match in _TICKS.finditer(text, unit.span.start, unit.span.end)]
            found += [Span(*pair) for pair in zip(ticks[::2], ticks[1::2], strict=False)]
    return found


def _close(text: str, start: int) -> int:
    """Where the bracket at `start` closes, or -1; a title may hold one pair of parentheses, an id none."""
    limit = start + MAX_BRACKET_CHARS
    if text[start] == "[":
        nearest = _SQUARE.search(text, start + 1, limit)
        return nearest.start() if nearest and nearest[0] == "]" else -1
    depth = 1
    for mark in _ROUND.finditer(text, start + 1, limit):
        depth += 1 if mark[0] == "(" else -1
        if depth == 0:
            return mark.start()
        if depth > 2:
            break
    return -1


def resolve(
    markers: Iterable[CitationMarker], passages: Sequence[Passage], documents: Iterable[Document]
) -> list[ResolvedCitation]:
    """Where each marker leads, given the passages in the order they were shown and the documents they come from."""
    lookup = _Lookup(passages, documents)
    return [lookup.resolve(marker) for marker in markers]


class _Lookup:
    def __init__(self, passages: Sequence[Passage], documents: Iterable[Document]) -> None:
        self._passages = passages
        self._by_id = {passage.id.lower(): passage for passage in passages}
        by_page: dict[tuple[str, int | None], list[Passage]] = defaultdict(list)
        for passage in passages:
            by_page[passage.document_id, passage.page].append(passage)
        self._by_page = {place: tuple(found) for place, found in by_page.items()}
        self._by_title: dict[str, dict[str, Document]] = defaultdict(dict)
        for document in documents:
            stem = document.name.rpartition("/")[2].rpartition(".")[0]
            for name in filter(None, map(title_key, (document.title, document.name, stem))):
                self._by_title[name][document.id] = document

    def resolve(self, marker: CitationMarker) -> ResolvedCitation:
        if marker.form is CitationForm.PAGE:
            return self._page(marker)
        if marker.form is CitationForm.ID:
            return self._id(marker)
        return self._number(marker, int(marker.target))

    def _id(self, marker: CitationMarker) -> ResolvedCitation:
        if passage := self._by_id.get(marker.target.lower()):
            return ResolvedCitation(marker, (passage,))
        # `Doc3` may be an id; where it is none, it is `Doc 3` written in haste.
        label = LABEL.match(marker.target)
        if label and (number := marker.target[label.end() :]).isdecimal():
            return self._number(marker, int(number))
        reason = f"No retrieved passage has the id {marker.target!r}."
        return _unresolved(marker, CitationProblem.UNKNOWN_ID, reason)

    def _number(self, marker: CitationMarker, number: int) -> ResolvedCitation:
        if 1 <= number <= len(self._passages):
            return ResolvedCitation(marker, (self._passages[number - 1],))
        reason = f"Passage {number} is cited, and {len(self._passages)} were retrieved."
        return _unresolved(marker, CitationProblem.OUT_OF_RANGE, reason)

    def _page(self, marker: CitationMarker) -> ResolvedCitation:
        title, page = marker.target, marker.page
        documents = self._by_title.get(title_key(title), {})
        if not documents:
            return _unresolved(marker, CitationProblem.UNKNOWN_TITLE, f"No retrieved document is called {title!r}.")
        if len(documents) > 1:
            reason = f"{len(documents)} retrieved documents are called {title!r}."
            return _unresolved(marker, CitationProblem.AMBIGUOUS_TITLE, reason)
        (document,) = documents.values()
        if cited := self._by_page.get((document.id, page)):
            return ResolvedCitation(marker, cited)
        if page is None or not 1 <= page <= (document.pages or 0):
            reason = f"{document.title!r} has {document.pages or 'no'} pages, and page {page} is cited."
            return _unresolved(marker, CitationProblem.NO_SUCH_PAGE, reason)
        reason = f"No passage from page {page} of {document.title!r} was retrieved."
        return _unresolved(marker, CitationProblem.PAGE_NOT_RETRIEVED, reason)


def _unresolved(marker: CitationMarker, problem: CitationProblem, reason: str) -> ResolvedCitation:
    return ResolvedCitation(marker, problem=problem, reason=reason)
