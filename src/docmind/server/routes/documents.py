"""Documents: which there are, one of them, and exactly these characters of its text."""

from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.documents import Span
from docmind.domain.rows import DocumentRow
from docmind.runtime.engine import DocMind
from docmind.server.deps import Scoped, ToBackend
from docmind.server.errors import INVALID_REQUEST, RESPONSES

router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=RESPONSES)

Reference = Annotated[str, Path(alias="id", description="A document's id, the start of its id, or its name.")]


class DocumentList(BaseModel):
    documents: Annotated[list[DocumentRow], Field(description="By name.")]


class TextRange(Scoped):
    start: Annotated[int, Field(description="The first character.", ge=0)] = 0
    end: Annotated[int | None, Field(description="The character after the last; the text's end unless given.")] = None


@router.get("", response_model=DocumentList)
async def list_documents(asked: Annotated[Scoped, Query()], backend: ToBackend) -> Response:
    """The documents that the workspace and user see."""
    scope = asked.scope()

    def read(engine: DocMind) -> str:
        # To JSON here as well: that of a large workspace would hold up the event loop.
        rows = [DocumentRow.of(document) for document in engine.documents(scope)]
        return DocumentList(documents=rows).model_dump_json()

    return Response(await backend.read(read), media_type="application/json")


@router.get("/{id}")
async def show_document(reference: Reference, asked: Annotated[Scoped, Query()], backend: ToBackend) -> DocumentRow:
    """What is known of a document."""
    scope = asked.scope()
    return DocumentRow.of(await backend.read(lambda engine: engine.document(reference, scope)))


@router.get("/{id}/text", response_class=PlainTextResponse)
async def document_text(
    reference: Reference, asked: Annotated[TextRange, Query()], backend: ToBackend
) -> PlainTextResponse:
    """Exactly the characters from `start` to before `end`, counted in Unicode code points."""
    scope = asked.scope()

    def read(engine: DocMind) -> PlainTextResponse:
        document = engine.document(reference, scope)
        end = document.characters if asked.end is None else asked.end
        if not asked.start <= end <= document.characters:
            sentence = f"{asked.start} to {end} is not in the document, which has {document.characters} characters."
            raise HTTPException(INVALID_REQUEST.status, sentence)
        return PlainTextResponse(Span(asked.start, end).of(engine.text(document)))

    return await backend.read(read)
