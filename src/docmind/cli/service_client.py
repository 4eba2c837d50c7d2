"""Has a running service perform a command, which then need not load what answers it.

Only the standard library is imported here: whatever else the command would need, the service has loaded already.
"""

import hashlib
import json
import os
import shutil
import socket
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from docmind.domain import socket_file
from docmind.variables import data_folder, given_variables
from docmind.version import VERSION

SOCKET = "service.sock"
"""By which programs reach the service, in the data folder."""
PERFORMED = ("ask",)
"""The commands that a service performs for others."""
ACCEPTED: dict[str, Any] = {"accepted": True}

_ACCEPTED_WITHIN_S = 2.0
"""A service that takes longer to accept a command is of no use to it."""
_BLOCK = 1 << 16
_INTERRUPT = b"\n"
_OF_THE_TERMINAL = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
_ELSEWHERE = ("DOCMIND_DATA_DIR", "DOCMIND_BENCH_DATA", "DOCMIND_SERVER__", "DOCMIND_INGEST__")
"""Settings that no command here depends on, or that are the same where both use one folder."""
_SHOW_CURSOR = "\x1b[?25h"
_LOST = (
    "The service that performed this command has ended. What it had begun is kept: `docmind runs` lists it, and "
    "`docmind runs resume RUN` goes on with it."
)


def perform_by_service(arguments: Sequence[str]) -> int | None:
    """The exit code of the command; None, and nothing done, where no service runs that would do what this program does.

    That is one on the same data folder, by the same installation, with the same settings.
    """
    # The service writes text, and cannot know what else a terminal takes.
    in_utf_8 = all(stream.encoding in ("utf-8", "UTF-8") for stream in (sys.stdout, sys.stderr))
    if not in_utf_8 or {"--help", "-h"} & set(arguments):
        return None
    try:
        variables = given_variables()
        file = data_folder(variables) / SOCKET
    except (OSError, ValueError, RuntimeError):
        # The command says what is wrong.
        return None
    line = _connected(file)
    if line is None:
        return None
    with line:
        parts = _Parts(line)
        if not _is_accepted(line, parts, arguments, variables):
            return None
        line.settimeout(None)
        return _perform(line, parts)


def installation() -> str:
    """Which program this is: another version may answer otherwise, and so may one with other packages beside it."""
    return f"{VERSION} {sys.prefix} {Path(__file__).parent}"


def digest(variables: Mapping[str, str]) -> str:
    """The same for settings with which the same is answered; it tells none of them."""
    told = {name: value for name, value in variables.items() if not name.startswith(_ELSEWHERE)}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _connected(file: Path) -> socket.socket | None:
    try:
        # Another user's service answers from documents that are not ours, and would hear what we ask.
        if file.stat().st_uid != os.geteuid():
            return None
    except OSError:
        return None
    return socket_file.connect(file)


def _is_accepted(line: socket.socket, parts: "_Parts", arguments: Sequence[str], variables: Mapping[str, str]) -> bool:
    request = {
        "installation": installation(),
        "settings": digest(variables),
        "arguments": arguments,
        "out_is_terminal": sys.stdout.isatty(),
        "err_is_terminal": sys.stderr.isatty(),
        "environment": _terminal_variables(),
        "message_columns": shutil.get_terminal_size().columns,
    }
    line.settimeout(_ACCEPTED_WITHIN_S)
    try:
        line.sendall(json.dumps(request).encode() + b"\n")
        return next(parts, None) == ACCEPTED
    except OSError:
        return False


def _perform(line: socket.socket, parts: "_Parts") -> int:
    interrupted = False
    while True:
        try:
            for part in parts:
                if "exit" in part:
                    sys.stdout.flush()
                    return int(part["exit"])
                _take(part)
            return _lost()
        except BrokenPipeError:
            raise
        except OSError as error:
            from docmind.cli.errors import report

            return report(error)
        except KeyboardInterrupt:
            if interrupted:
                raise
            # The service stops what it does, and has the last word.
            interrupted = True
            with suppress(OSError):
                line.sendall(_INTERRUPT)


def _take(part: dict[str, str]) -> None:
    if "save" in part:
        file = Path(part["save"])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b64decode(part["content"]))
    for name, stream in (("out", sys.stdout), ("err", sys.stderr)):
        if name in part:
            stream.write(part[name])
            stream.flush()


def _lost() -> int:
    from docmind.cli.errors import report
    from docmind.domain.errors import DocMindError

    if sys.stderr.isatty():
        # The service had hidden it while it showed what it did.
        sys.stderr.write(f"\r{_SHOW_CURSOR}")
    return report(DocMindError(_LOST))


class _Parts:
    """What the service sends, part by part, until it ends; an interrupt in between loses nothing."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._received = b""

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        while b"\n" not in self._received:
            try:
                block = self._line.recv(_BLOCK)
            except ConnectionError:
                block = b""
            if not block:
                raise StopIteration
            self._received += block
        part, _, self._received = self._received.partition(b"\n")
        return json.loads(part)


def _terminal_variables() -> dict[str, str]:
    """What rich would read of the environment, and the size that it would find without."""
    columns, lines = 0, 0
    for descriptor in () if os.environ.get("TERM", "").lower() in ("dumb", "unknown") else (0, 1, 2):
        try:
            columns, lines = os.get_terminal_size(descriptor)
        except OSError:
            continue
        break
    size = {"COLUMNS": str(columns or 80), "LINES": str(lines or 25)}
    return size | {name: os.environ[name] for name in (*_OF_THE_TERMINAL, *size) if name in os.environ}
