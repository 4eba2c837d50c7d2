"""Takes e-mails apart into the files that came with them, in a process that a hostile one may hang or crash."""

import base64
import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from docmind.corpus.load import Limits, Member, Rejected
from docmind.corpus.load.mail import attachments
from docmind.corpus.readers import ProcessReaders
from docmind.domain.errors import FileRejected

EMAIL = ".eml"
TIMEOUT_S = 60.0
_MAY_BE_ATTACHED = re.compile(rb"name\*?[0-9*]*\s*=|content-disposition:\s*attachment|message/rfc822", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Attached:
    name: str
    content: str = ""
    """Its bytes in base 64: what a reader answers is text."""
    reason: str = ""
    """Why it is not read."""


class Attachments:
    """Opens e-mails one after the other; its process is started for the first that has something attached."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._readers = ProcessReaders(partial(_split, limits), list[_Attached], 1, TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._readers.__exit__()

    def of(self, file: Path) -> list[Member | Rejected]:
        """The files attached to this e-mail; `FileRejected` where it cannot be taken apart."""
        if file.stat().st_size > self._limits.max_bytes or not _MAY_BE_ATTACHED.search(file.read_bytes()):
            return []
        ((_, found),) = self._readers.map([file])
        if isinstance(found, FileRejected):
            raise found
        return list(map(_received, found))


def _split(limits: Limits, file: Path) -> list[_Attached]:
    """Runs in a reader process."""
    return list(map(_sent, attachments(file.read_bytes(), limits)))


def _sent(one: Member | Rejected) -> _Attached:
    if isinstance(one, Rejected):
        return _Attached(one.name, reason=one.reason)
    return _Attached(one.name, base64.b64encode(one.data).decode())


def _received(one: _Attached) -> Member | Rejected:
    return Rejected(one.name, one.reason) if one.reason else Member(one.name, base64.b64decode(one.content))
