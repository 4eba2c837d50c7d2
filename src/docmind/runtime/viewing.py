"""The documents of an engine as they are: pages drawn, words boxed, layout kept, words found."""

from typing import TYPE_CHECKING

from docmind.domain.documents import Document, Span
from docmind.domain.errors import NotFound
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.corpus.load import Limits
    from docmind.corpus.viewing.alignment import Box
    from docmind.corpus.viewing.layout import Part
    from docmind.corpus.viewing.matches import Matches
    from docmind.corpus.viewing.viewer import Viewer

PDF = "application/pdf"


class Viewing:
    """What an engine shows of a document, to whoever was given it by its scope."""

    catalogue: "Catalogue"
    _limits: "Limits"

    def original(self, document: Document) -> bytes:
        raise NotImplementedError

    def text(self, document: Document) -> str:
        raise NotImplementedError

    def prepare_viewing(self) -> None:
        """Make ready what draws pages, so that the first one does not wait for it."""
        self._viewer.prepare()

    def page_sizes(self, document: Document) -> list[tuple[float, float]]:
        """Width and height of each page of a PDF, in points."""
        return self._viewer.sizes(_paged(document), lambda: self.original(document))

    def page_picture(self, document: Document, number: int, width: int) -> bytes:
        """A page of a PDF as PNG, about so many dots wide."""
        return self._viewer.picture(_paged(document), number, width, lambda: self.original(document))

    def boxes(self, document: Document, span: Span) -> "list[Box]":
        """Where characters of a PDF stand on its pages; none where that cannot be told."""
        places = self.catalogue.passage_places(_paged(document).id)
        return self._viewer.boxes(document, self.text(document), places, span, lambda: self.original(document))

    def layout(self, document: Document, span: Span) -> "tuple[list[Part], str]":
        """The headings, paragraphs and tables that a stretch stands in, and a sentence where they could not be had."""
        shown, note = self._viewer.shown(document, self.text(document), lambda: self.original(document))
        return shown.between(span), note

    def find_words(self, document: Document, words: str) -> "Matches":
        """Where words stand in a document's text, whatever their case."""
        return self._viewer.matches(self.text(document), self.catalogue.passage_places(document.id), words)

    @once
    def _viewer(self) -> "Viewer":
        from docmind.corpus.viewing.viewer import Viewer

        return Viewer(self._limits)


def _paged(document: Document) -> Document:
    if document.media_type != PDF:
        raise NotFound(f"{document.file_name!r} is not a PDF, so it has no pages to show; its layout is at /layout.")
    return document
