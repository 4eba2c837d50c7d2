"""Documents: which there are, one of them, exactly these characters of its text, and the file it was read from."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, HTTPException, Path, Query
from fastapi.responses import PlainTextResponse, Response
from pydantic import BaseModel, Field

from docmind.domain.documents import Span
from docmind.domain.rows import DocumentRow
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Scoped, ToBackend
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
