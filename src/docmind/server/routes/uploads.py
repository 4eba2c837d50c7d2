"""Uploading: files and web pages in, read at once or in the background, each with what becomes of it."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Form, Path, Query, Request, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from docmind.corpus.report import Filed, IngestReport, Outcome, Progress
from docmind.corpus.uploads import OPEN, FileState, QueuedFile
from docmind.domain.errors import DuplicateDocument
from docmind.domain.scope import Scope
from docmind.runtime.documents import Upload
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor, Reader
from docmind.server.deps import Backend, Scoped, Text, ToBackend
from docmind.server.errors import BODY_TOO_LARGE, INVALID_REQUEST, RESPONSES
from docmind.server.sse import EventStream, as_events, failure, named, wants_events
from docmind.settings import ServerSettings

_LONGEST_NAME = 80


def require_acceptable(files: Sequence[UploadFile], limits: ServerSettings) -> None:
    """Refuse more or larger files than one upload may bring, before any of them is read."""
    if len(files) > limits.files:
        sentence = f"The upload has {len(files):,} files; the most is {limits.files:,}."
        raise HTTPException(INVALID_REQUEST.status, sentence)
    for file in files:
        if (file.size or 0) > limits.file_mb << 20:
            name = (file.filename or "")[:_LONGEST_NAME]
            raise HTTPException(BODY_TOO_LARGE.status, f"{name!r} is larger than {limits.file_mb:,} MB.")


@contextmanager
def laid_down(engine: DocMind, files: Sequence[UploadFile]) -> Iterator[list[Upload]]:
    """The files where the engine can read them; what it did not keep of them is gone afterwards."""
    with ExitStack() as held:
        yield [_lay_down(engine, file, held) for file in files]


def _lay_down(engine: DocMind, file: UploadFile, held: ExitStack) -> Upload:
    place = held.enter_context(engine.originals.incoming())
    with place.open("wb") as target:
        shutil.copyfileobj(file.file, target)
    return Upload(file.filename or "", place)


router = APIRouter(prefix="/v1/documents", tags=["documents"], responses=RESPONSES)


class Uploaded(Scoped):
    """One or more files for the workspace, or for one user in it."""

    files: Annotated[
        list[UploadFile], Field(description="PDF, Office, web, text or table files, or ZIP files of them.")
    ]


class FileOutcome(BaseModel):
    """What became of one file, or of one member of an archive."""

    name: Annotated[str, Field(examples=["minutes.md"])]
    outcome: Outcome
    document: Annotated[str | None, Field(description="The document that it is now.")]
    reason: Annotated[str, Field(description="Why it was rejected.", examples=[""])]

    @classmethod
    def of(cls, filed: Filed) -> "FileOutcome":
        return cls(name=filed.name, outcome=filed.outcome, document=filed.document, reason=filed.reason)


class UploadReport(BaseModel):
    files: list[FileOutcome]


class FileDone(BaseModel):
    """The `file` event: so many of the files are done."""

    name: str
    done: int
    total: int
    stage: Outcome


_READ_EVENTS = as_events(
    "What became of each file; with `Accept: text/event-stream` told as it happens, all of it last.",
    'event: file\ndata: {"name":"minutes.md","done":1,"total":1,"stage":"added"}\n\n'
    'event: report\ndata: {"files":[{"name":"minutes.md","outcome":"added","document":"9b2f…","reason":""}]}\n\n',
)


@router.post("", response_model=UploadReport, responses=_READ_EVENTS)
async def upload_documents(
    asked: Annotated[Uploaded, Form(media_type="multipart/form-data")],
    request: Request,
    caller: Editor,
    backend: ToBackend,
) -> Response:
    """Upload files and read them; a file of the same name is replaced.

    Where everything is there already, unchanged, that is a conflict: `duplicate_document`.
    """
    scope = caller.shelf(asked)
    require_acceptable(asked.files, backend.limits)
    if wants_events(request):
        return EventStream(_told_files(asked.files, scope, backend))
    filed = await backend.write(lambda engine: _bring_in(engine, asked.files, scope))
    if all(one.outcome is Outcome.UNCHANGED for one in filed):
        names = ", ".join(one.name for one in filed[:5])
        raise DuplicateDocument(f"Everything is there already, unchanged: {names}{' …' if len(filed) > 5 else ''}.")
    return Response(_report(filed).model_dump_json(), media_type="application/json")


class WebAddress(Scoped):
    """A page on the web for the workspace, or for one user in it."""

    url: Annotated[
        Text,
        Field(description="Where it is; http and https.", examples=["https://example.org/handbook"], max_length=2_000),
    ]


@router.post("/web")
async def add_web_page(asked: WebAddress, caller: Editor, backend: ToBackend) -> UploadReport:
    """Fetch a web address and add what is there: a page, a file, or the members of a ZIP file.

    Asked for again, it is fetched again and replaced where it has changed. Addresses in private networks are refused
    unless the service is set to allow them.
    """
    scope = caller.shelf(asked)
    return _report(await backend.write(lambda engine: engine.add_web_page(asked.url, scope)))


async def _told_files(files: list[UploadFile], scope: Scope, backend: Backend) -> AsyncGenerator[bytes, None]:
    """Whoever stops listening does not stop the upload: what was sent is brought in to the end."""
    box: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop, done = asyncio.get_running_loop(), set[str]()

    def note(filed: Filed, _report: IngestReport) -> None:
        done.add(filed.name.partition("!")[0])
        event = FileDone(name=filed.name, done=len(done), total=len(files), stage=filed.outcome)
        loop.call_soon_threadsafe(box.put_nowait, named("file", event))

    work = asyncio.create_task(backend.write(lambda engine: _bring_in(engine, files, scope, note)))
    work.add_done_callback(lambda _: box.put_nowait(None))
    while (event := await box.get()) is not None:
        yield event
    try:
        yield named("report", _report(work.result()))
    except Exception as error:  # noqa: BLE001 - the edge: a stream that has begun can only say so
        yield failure(error)


def _bring_in(engine: DocMind, files: list[UploadFile], scope: Scope, progress: Progress | None = None) -> list[Filed]:
    with laid_down(engine, files) as uploads:
        return engine.upload(uploads, scope, progress)


def _report(filed: list[Filed]) -> UploadReport:
    return UploadReport(files=[FileOutcome.of(one) for one in filed])


queue = APIRouter(prefix="/v1/uploads", tags=["uploads"], responses=RESPONSES)

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


_QUEUE_EVENTS = as_events(
    "The uploads; with `Accept: text/event-stream` told again at every change, until all of them have ended or "
    f"{STREAM_S:.0f} seconds have passed.",
    'event: uploads\ndata: {"uploads":[{"id":"9b2f…","sent":"2026-03-18T09:30:00+00:00","files":[{"id":"51c0…",'
    '"name":"minutes.md","bytes":1024,"state":"reading","ahead":null,"outcomes":[]}]}]}\n\n',
)


@queue.post("", status_code=202)
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


@queue.post("/web", status_code=202)
async def queue_web_page(asked: WebAddress, caller: Editor, backend: ToBackend, response: Response) -> UploadRow:
    """Add a web address, to be fetched and read in the background; added again, it is replaced if it has changed.

    Addresses in private networks are rejected unless the service is set to allow them.
    """
    scope = caller.shelf(asked)
    row = await backend.write(lambda engine: upload_rows(engine, engine.queue_web_page(asked.url, scope), scope)[0])
    response.headers["Location"] = f"/v1/uploads/{row.id}"
    return row


@queue.get("", response_model=UploadList, responses=_QUEUE_EVENTS)
async def list_uploads(
    asked: Annotated[Scoped, Query()], request: Request, caller: Reader, backend: ToBackend
) -> Response:
    """The uploads of the workspace, or of the user, in the last seven days: waiting, being read, done or rejected."""
    scope = caller.shelf(asked)
    if wants_events(request):
        return EventStream(_told_changes(scope, backend))
    found = await backend.read(lambda engine: _list(engine, scope))
    return Response(found.model_dump_json(), media_type="application/json")


@queue.get("/{id}")
async def show_upload(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Reader, backend: ToBackend
) -> UploadRow:
    """One upload, with what has become of its files."""
    scope = caller.shelf(asked)
    return await backend.read(lambda engine: upload_rows(engine, engine.uploads.upload(reference, scope), scope)[0])


@queue.delete("/{id}")
async def cancel_upload(
    reference: Reference, asked: Annotated[Scoped, Query()], caller: Editor, backend: ToBackend
) -> UploadRow:
    """Cancel files that wait, and remove finished ones from the list. A file that is being read is read to its end."""
    scope = caller.shelf(asked)
    caller.require_owning(scope.user)
    return await backend.write(lambda engine: upload_rows(engine, engine.cancel_upload(reference, scope), scope)[0])


async def _told_changes(scope: Scope, backend: Backend) -> AsyncGenerator[bytes, None]:
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
