"""The person's own settings file, as programs write it: one writer at a time, and each change whole or not at all."""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from docmind.domain.errors import SettingsError
from docmind.domain.private_files import private_file
from docmind.variables import OWN_FILE


def own_file() -> Path:
    return Path(OWN_FILE).expanduser()


def change_own(decide: Callable[[], Mapping[str, str | None]], check: Callable[[Path], None] | None = None) -> None:
    """Set the variables that `decide` names in the file, or take out those that are None; the rest stays as it is.

    While it decides nobody else writes. `check` looks at the file as it would be, and raises where it is not to be so.
    """
    file = own_file()
    try:
        with _one_at_a_time(private_file(file).parent):
            lines = {name: None if value is None else _line(name, value) for name, value in decide().items()}
            _replace(file, lines, check)
    except OSError as error:
        raise SettingsError(f"The settings file {file} cannot be written: {error.strerror}.") from error


def _replace(file: Path, lines: Mapping[str, str | None], check: Callable[[Path], None] | None) -> None:
    draft = private_file(file.with_name(f"{file.name}.draft"))
    try:
        with draft.open("w", encoding="utf-8") as opened:
            opened.write(_changed(file.read_text(encoding="utf-8"), lines))
            opened.flush()
            os.fsync(opened.fileno())
        if check is not None:
            check(draft)
        # Whoever reads meanwhile finds the old file or the new one.
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _line(name: str, value: str) -> str:
    """As it stands in the file; what would be read back as something else is refused."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    line = f"{name}='{escaped}'\n"
    if not value.isprintable() or dotenv_values(stream=StringIO(line)) != {name: value}:
        raise SettingsError(
            f"{name} cannot have this value: it holds line breaks, other control characters or `${{…}}`."
        )
    return line


def _changed(text: str, lines: Mapping[str, str | None]) -> str:
    """The first line of each variable is replaced where it stands; names are read in any case."""
    left, kept = dict(lines), []
    for binding in parse_stream(StringIO(text)):
        name = (binding.key or "").upper()
        if name not in lines:
            kept.append(binding.original.string)
        elif line := left.pop(name, None):
            kept.append(line)
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += "\n"
    return "".join((*kept, *(line for line in left.values() if line)))


@contextmanager
def _one_at_a_time(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
