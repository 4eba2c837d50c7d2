"""Uploads in the background: files are safe at once and read one after the other, each with what becomes of it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from docmind.corpus.uploads import OPEN, FileState, QueuedFile
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Backend, Scoped, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.routes.uploads import FileOutcome, Uploaded, WebAddress
from docmind.server.telling import EventStream, as_events, failure, named, wants_events
from docmind.server.uploads import laid_down, require_acceptable

router = APIRouter(prefix="/v1/uploads", tags=["uploads"], responses=RESPONSES)

LOOK_EVERY_S = 0.4
STREAM_S = 30.0
"""How long one stream tells of uploads; a client that wants to know more asks again."""

Reference = Annotated[str, Path(alias="id", description="An upload's id, or that of one of its files.")]


class UploadedFile(BaseModel):
    """A file that was sent, or a web page to be fetched, and what has become of it."""

    id: str
    name: Annotated[str, Field(description="Of a web page its address.", examples=["minutes.md"])]
    bytes: Annotated[int, Field(description="0 for a web page.")]
    state: FileState
    ahead: Annotated[int | None, Field(description="While it waits, how many of your files are before it.")]
    outcomes: Annotated[
        list[FileOutcome], Field(description="Once it is done: of the file, or of each member of an archive.")
    ]


class UploadRow(BaseModel):
    """Files that were sent together."""

    id: str
    sent: Annotated[str, Field(description="When, in UTC.", examples=["2026-03-18T09:30:00+00:00"])]
    files: Annotated[list[UploadedFile], Field(description="In the order in which they were sent.")]


class UploadList(BaseModel):
    uploads: Annotated[list[UploadRow], Field(description="The oldest first.")]


_EVENTS = as_events(
    "The uploads; with `Accept: text/event-stream` told again at every change, until all of them have ended or "
    f"{STREAM_S:.0f} seconds have passed.",
    'event: uploads\ndata: {"uploads":[{"id":"9b2f…","sent":"2026-03-18T09:30:00+00:00","files":[{"id":"51c0…",'
    '"name":"minutes.md","bytes":1024,"state":"reading","ahead":null,"outcomes":[]}]}]}\n\n',
)


@router.post("", status_code=202)
async def queue_upload(
    asked: Annotated[Uploaded, Form(media_type="multipart/form-data")],
    caller: Editor,
    backend: ToBackend,
    response: Response,
) -> UploadRow:
    """Upload files to be read in the background; once this answers they are stored, and survive a restart."""
    scope = caller.shelf(asked)
    require_acceptable(asked.files, backend.limits)

    def queue(engine: DocMind) -> UploadRow:
        with laid_down(engine, asked.files) as files:
            queued = engine.queue(files, scope)
        return upload_rows(engine, queued, scope)[0]

    row = await backend.write(queue)
    response.headers["Location"] = f"/v1/uploads/{row.id}"
    return row


@router.post("/web", status_code=202)
async def queue_web_page(asked: WebAddress, caller: Editor, backend: ToBackend, response: Response) -> UploadRow:
    """Add a web address, to be fetched and read in the background; added again, it is replaced if it has changed.

    Addresses in private networks are rejected unless the service is set to allow them.
    """
    scope = caller.shelf(asked)
    row = await backend.write(lambda engine: upload_rows(engine, engine.queue_web_page(asked.url, scope), scope)[0])
    response.headers["Location"] = f"/v1/uploads/{row.id}"
    return row


@router.get("", response_model=UploadList, responses=_EVENTS)
async def list_uploads(
    asked: Annotated[Scoped, Query()], request: Request, caller: Reader, backend: ToBackend
) -> Response:
    """The uploads of the workspace, or of the user, in the last seven days: waiting, being read, done or rejected."""
    scope = caller.shelf(asked)
    if wants_events(request):
        return EventStream(_told(scope, backend))
    found = await backend.read(lambda engine: _list(engine, scope))
    return Response(found.model_dump_json(), media_type="application/json")


@router.get("/{id}")
async def show_upload(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> UploadRow:
    """One upload, with what has become of its files."""
    scope = caller.shelf(asked)
    return await backend.read(lambda engine: upload_rows(engine, engine.uploads.upload(reference, scope), scope)[0])


@router.delete("/{id}")
async def cancel_upload(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Editor, backend: ToBackend
) -> UploadRow:
    """Cancel files that wait, and remove finished ones from the list. A file that is being read is read to its end."""
    scope = caller.shelf(asked)
    caller.require_owning(scope.user)
    return await backend.write(lambda engine: upload_rows(engine, engine.cancel_upload(reference, scope), scope)[0])


async def _told(scope: Scope, backend: Backend) -> AsyncGenerator[bytes, None]:
    """The list, and again whenever it is another one."""
    before: UploadList | None = None
    ends = asyncio.get_running_loop().time() + STREAM_S
    try:
        while asyncio.get_running_loop().time() < ends:
            found = await backend.read(lambda engine: _list(engine, scope))
            if found != before:
                yield named("uploads", found)
            before = found
            if backend.desk.is_closed or not _is_open(found):
                return
            await asyncio.sleep(LOOK_EVERY_S)
    except Exception as error:  # noqa: BLE001 - the edge: a stream that has begun can only say so
        yield failure(error)


def _is_open(found: UploadList) -> bool:
    return any(file.state in OPEN for upload in found.uploads for file in upload.files)


def _list(engine: DocMind, scope: Scope) -> UploadList:
    return UploadList(uploads=upload_rows(engine, engine.queued(scope), scope))


def upload_rows(engine: DocMind, files: Sequence[QueuedFile], scope: Scope) -> list[UploadRow]:
    """Files of a scope as their uploads."""
    ahead = engine.ahead(engine.queued(scope))
    return [_row(upload, list(of_it), ahead) for upload, of_it in groupby(files, key=lambda one: one.upload)]


def _row(upload: str, files: Sequence[QueuedFile], ahead: dict[str, int]) -> UploadRow:
    sent = datetime.fromtimestamp(files[0].sent, UTC).isoformat(timespec="seconds")
    return UploadRow(id=upload, sent=sent, files=[_file(one, ahead.get(one.id)) for one in files])


def _file(file: QueuedFile, ahead: int | None) -> UploadedFile:
    outcomes = [FileOutcome.of(one) for one in file.outcomes]
    return UploadedFile(id=file.id, name=file.name, bytes=file.bytes, state=file.state, ahead=ahead, outcomes=outcomes)
