"""Files as they come in over HTTP: checked against what the service takes on, and laid down where they can be read."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from fastapi import UploadFile
from starlette.exceptions import HTTPException

from docmind.runtime.collecting import Upload
from docmind.runtime.engine import DocMind
from docmind.server.errors import BODY_TOO_LARGE, INVALID_REQUEST
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
