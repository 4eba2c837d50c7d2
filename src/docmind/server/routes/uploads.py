"""Uploading: files in, and what became of each, at the end or as it happens."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import APIRouter, Form, Request, UploadFile
from fastapi.responses import Response
from pydantic import BaseModel, Field

from docmind.corpus.report import Filed, IngestReport, Outcome, Progress
from docmind.domain.errors import DuplicateDocument
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.auth import Editor
from docmind.server.deps import Backend, Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.server.telling import EventStream, as_events, failure, named, wants_events
from docmind.server.uploads import laid_down, require_acceptable

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


_EVENTS = as_events(
    "What became of each file; with `Accept: text/event-stream` told as it happens, all of it last.",
    'event: file\ndata: {"name":"minutes.md","done":1,"total":1,"stage":"added"}\n\n'
    'event: report\ndata: {"files":[{"name":"minutes.md","outcome":"added","document":"9b2f…","reason":""}]}\n\n',
)


@router.post("", response_model=UploadReport, responses=_EVENTS)
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
        return EventStream(_told(asked.files, scope, backend))
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


async def _told(files: list[UploadFile], scope: Scope, backend: Backend) -> AsyncGenerator[bytes, None]:
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
