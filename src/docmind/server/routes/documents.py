"""Documents: which there are, one of them, its text and file, its pages with every word's place, and its layout."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field

from docmind.corpus.viewing.layout import Part
from docmind.domain.documents import BlockKind, Document, Span, TableRow
from docmind.domain.rows import DocumentRow
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import INVALID_REQUEST, RESPONSES

router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=RESPONSES)

Reference = Annotated[str, Path(alias="id", description="A document's id, the start of its id, or its name.")]
_SHOWN = "application/pdf"
"""What a browser shows by itself and runs nothing of; everything else is to be saved."""
_SANDBOX = {"Content-Security-Policy": "sandbox; default-src 'none'"}
"""A file that somebody sent may hold scripts; opened from here it must not run any with this service's rights."""


class DocumentList(BaseModel):
    documents: Annotated[list[DocumentRow], Field(description="By name.")]


class TextRange(Scoped):
    start: Annotated[int, Field(description="The first character.", ge=0)] = 0
    end: Annotated[int | None, Field(description="The character after the last; the text's end unless given.")] = None


@router.get("", response_model=DocumentList)
async def list_documents(asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend) -> Response:
    """The documents that the workspace and user see."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> str:
        # To JSON here as well: that of a large workspace would hold up the event loop.
        documents = engine.documents(scope)
        if any(document.media_type == _SHOWN for document in documents):
            # Whoever sees the list may open one, and is not to wait for a process to start.
            engine.prepare_viewing()
        rows = [DocumentRow.of(document) for document in documents]
        return DocumentList(documents=rows).model_dump_json()

    return Response(await backend.read(read), media_type="application/json")


@router.get("/{id}")
async def show_document(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> DocumentRow:
    """The details of a document."""
    scope = caller.scope(asked)
    return DocumentRow.of(await backend.read(lambda engine: engine.document(reference, scope)))


@router.get(
    "/{id}/text",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"example": "The capital budget is EUR 42.0 million."}}}},
)
async def document_text(
    reference: Reference, asked: Annotated[TextRange, Query()], caller: Reader, backend: ToBackend
) -> PlainTextResponse:
    """Exactly the characters from `start` to before `end`, counted in Unicode code points."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> PlainTextResponse:
        document = engine.document(reference, scope)
        end = document.characters if asked.end is None else asked.end
        if not asked.start <= end <= document.characters:
            sentence = f"{asked.start} to {end} is not in the document, which has {document.characters} characters."
            raise HTTPException(INVALID_REQUEST.status, sentence)
        return PlainTextResponse(Span(asked.start, end).of(engine.text(document)))

    return await backend.read(read)


@router.get(
    "/{id}/original",
    response_class=Response,
    responses={200: {"description": "The file.", "content": {"application/octet-stream": {}}}},
)
async def document_original(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> Response:
    """The file that the document was read from, byte for byte; `#page=3` after the address opens a PDF on page 3."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> Response:
        document = engine.document(reference, scope)
        how, headers = ("inline", {}) if document.media_type == _SHOWN else ("attachment", _SANDBOX)
        name = quote(document.name.replace("!", "/").rpartition("/")[2])
        headers = headers | {"Cache-Control": "private, no-cache"}
        headers |= {"Content-Disposition": f"{how}; filename*=utf-8''{name}"}
        return Response(engine.original(document), media_type=document.media_type, headers=headers)

    return await backend.read(read)


@router.delete("/{id}")
async def delete_document(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Editor, backend: ToBackend
) -> DocumentRow:
    """Remove a document with all its passages, and its file where it was uploaded."""
    scope = caller.scope(asked)

    def delete(engine: DocMind) -> DocumentRow:
        document = engine.document(reference, scope)
        caller.require_owning(document.scope.user)
        engine.delete([document.id], scope)
        return DocumentRow.of(document)

    return await backend.write(delete)


viewing = APIRouter(prefix="/v1/documents/{id}", tags=["documents"], responses=RESPONSES)

LONGEST_STRETCH = 50_000
"""Characters whose boxes or layout are given at once."""
_KEPT = {"Cache-Control": "private, no-cache"}


class PageSize(BaseModel):
    """A page as it is shown, rotation included; in points, of which an inch has 72."""

    number: Annotated[int, Field(examples=[1])]
    width: Annotated[float, Field(examples=[612.0])]
    height: Annotated[float, Field(examples=[792.0])]


class PageList(BaseModel):
    pages: list[PageSize]


class PictureSize(Scoped):
    width: Annotated[int, Field(description="Dots across; the height follows.", ge=40, le=2400)] = 1000


class Stretch(Scoped):
    start: Annotated[int, Field(description="The first character.", ge=0)] = 0
    end: Annotated[
        int | None, Field(description=f"The character after the last; at most {LONGEST_STRETCH:,} after the first.")
    ] = None

    def of(self, document: Document) -> Span:
        """The characters asked for, or a refusal of what is not in the document."""
        most = min(self.start + LONGEST_STRETCH, document.characters)
        end = most if self.end is None else self.end
        if not self.start <= end <= document.characters:
            sentence = f"{self.start} to {end} is not in the document, which has {document.characters} characters."
            raise HTTPException(INVALID_REQUEST.status, sentence)
        if end > most:
            sentence = f"{self.start} to {end} are more than the {LONGEST_STRETCH:,} characters that are given at once."
            raise HTTPException(INVALID_REQUEST.status, sentence)
        return Span(self.start, end)


class WordBox(BaseModel):
    """A word of the text on its page, in points from the page's top left corner."""

    page: Annotated[int, Field(examples=[1])]
    start: Annotated[int, Field(examples=[0])]
    end: Annotated[int, Field(examples=[8])]
    left: Annotated[float, Field(examples=[72.0])]
    top: Annotated[float, Field(examples=[71.5])]
    right: Annotated[float, Field(examples=[118.4])]
    bottom: Annotated[float, Field(examples=[85.0])]


class BoxList(BaseModel):
    boxes: Annotated[list[WordBox], Field(description="In the order of the text.")]


class Cell(BaseModel):
    column: Annotated[int, Field(description="From 0.")]
    start: int
    end: int
    text: str


class Row(BaseModel):
    start: int
    end: int
    cells: list[Cell]


Kind = Literal["heading", "paragraph", "item", "caption", "code", "table"]
_KINDS: dict[BlockKind, Kind] = {
    BlockKind.HEADING: "heading",
    BlockKind.PARAGRAPH: "paragraph",
    BlockKind.ITEM: "item",
    BlockKind.CAPTION: "caption",
    BlockKind.CODE: "code",
    BlockKind.ROW: "table",
}


class LayoutBlock(BaseModel):
    """A heading, a paragraph, an item of a list, a caption, code, or the rows of a table that follow each other."""

    kind: Kind
    start: int
    end: int
    text: Annotated[str, Field(description="Its characters; of a table the rows have them.")] = ""
    level: Annotated[int, Field(description="Of a heading or an item, from 1.")] = 0
    table: Annotated[int | None, Field(description="The number of the table it belongs to.")] = None
    header: Annotated[list[str], Field(description="What the table's columns are called.")] = []
    rows: list[Row] = []

    @classmethod
    def of(cls, part: Part, text: str) -> "LayoutBlock":
        kind, start, end = _KINDS[part.kind], part.span.start, part.span.end
        if part.kind is BlockKind.ROW:
            rows = [_row(row, text) for row in part.rows]
            return cls(kind=kind, start=start, end=end, table=part.table, header=list(part.header), rows=rows)
        return cls(kind=kind, start=start, end=end, text=part.span.of(text), level=part.level, table=part.table)


class DocumentLayout(BaseModel):
    note: Annotated[str, Field(description="Why the layout is not that of the file, where it is not.", examples=[""])]
    characters: Annotated[int, Field(description="How many the document has.")]
    blocks: Annotated[list[LayoutBlock], Field(description="Those that the characters stand in, in order.")]


class Sought(Scoped):
    words: Annotated[Text, Field(description="What to look for, whatever the case.", max_length=200)] = ""


class WordMatch(BaseModel):
    start: Annotated[int, Field(examples=[1204])]
    end: Annotated[int, Field(examples=[1212])]
    page: Annotated[int | None, Field(description="The page that its passage begins on, where there are pages.")]


class MatchList(BaseModel):
    total: Annotated[int, Field(description="How many places there are; the first 1,000 are listed.")]
    matches: list[WordMatch]


@viewing.get("/pages")
async def list_pages(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> PageList:
    """The pages of a PDF with their sizes."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> PageList:
        sizes = engine.page_sizes(engine.document(reference, scope))
        return PageList(
            pages=[PageSize(number=at, width=width, height=height) for at, (width, height) in enumerate(sizes, 1)]
        )

    return await backend.view(read)


@viewing.get(
    "/pages/{number}.png",
    response_class=Response,
    responses={200: {"description": "The page.", "content": {"image/png": {}}}},
)
async def draw_page(
    reference: Reference,
    number: Annotated[int, Path(description="The page's number, from 1.", ge=1)],
    asked: Annotated[PictureSize, Query()],
    caller: Reader,
    backend: ToBackend,
) -> Response:
    """A page of a PDF as a picture."""
    scope = caller.scope(asked)

    def draw(engine: DocMind) -> Response:
        picture = engine.page_picture(engine.document(reference, scope), number, asked.width)
        return Response(picture, media_type="image/png", headers=_KEPT)

    return await backend.view(draw)


@viewing.get("/boxes")
async def find_boxes(
    reference: Reference, asked: Annotated[Stretch, Query()], caller: Reader, backend: ToBackend
) -> BoxList:
    """Where the characters from `start` to before `end` stand on a PDF's pages; empty where that cannot be told."""
    scope = caller.scope(asked)

    def find(engine: DocMind) -> BoxList:
        document = engine.document(reference, scope)
        boxes = engine.boxes(document, asked.of(document))
        return BoxList(boxes=[WordBox(**box._asdict()) for box in boxes])

    return await backend.view(find)


@viewing.get("/layout")
async def show_layout(
    reference: Reference, asked: Annotated[Stretch, Query()], caller: Reader, backend: ToBackend
) -> DocumentLayout:
    """The headings, paragraphs, lists and tables that the characters from `start` to before `end` stand in."""
    scope = caller.scope(asked)

    def read(engine: DocMind) -> DocumentLayout:
        document = engine.document(reference, scope)
        parts, note = engine.layout(document, asked.of(document))
        text = engine.text(document)
        blocks = [LayoutBlock.of(part, text) for part in parts]
        return DocumentLayout(note=note, characters=document.characters, blocks=blocks)

    return await backend.view(read)


@viewing.get("/matches")
async def find_words(
    reference: Reference, asked: Annotated[Sought, Query()], caller: Reader, backend: ToBackend
) -> MatchList:
    """Where words stand in the document's text, wherever its lines end."""
    scope = caller.scope(asked)

    def find(engine: DocMind) -> MatchList:
        found = engine.find_words(engine.document(reference, scope), asked.words)
        matches = [WordMatch(start=one.span.start, end=one.span.end, page=one.page) for one in found.places]
        return MatchList(total=found.total, matches=matches)

    return await backend.view(find)


def _row(row: TableRow, text: str) -> Row:
    cells = [Cell(column=column, start=span.start, end=span.end, text=span.of(text)) for column, span in row.cells]
    return Row(start=row.span.start, end=row.span.end, cells=cells)
