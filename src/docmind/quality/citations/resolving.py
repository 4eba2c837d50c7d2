"""Finds which passage a citation leads to, or says why it leads nowhere."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from docmind.domain.documents import Document, Passage
from docmind.domain.verdicts import CitationForm, CitationMarker, CitationProblem, ResolvedCitation
from docmind.quality.citations.brackets import LABEL
from docmind.quality.citations.titles import normal


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
            for name in filter(None, map(normal, (document.title, document.name, stem))):
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
        documents = self._by_title.get(normal(title), {})
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
