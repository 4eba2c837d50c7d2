"""The settings in force, as they stand in the files now, and the person's own file, written whole or not at all."""

import fcntl
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from threading import Lock

from dotenv import dotenv_values
from dotenv.parser import parse_stream
from pydantic import BaseModel

from docmind.domain.errors import SettingsError
from docmind.domain.files import private_file
from docmind.settings import ModelSettings, Settings
from docmind.variables import FOLDER_FILE, OWN_FILE


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


_log = logging.getLogger(__name__)

LIVE_GROUPS = ("answers", "docs", "strategy", "chat", "budget", "conversational_mode")
"""What the next run takes as it stands in the files then."""
LIVE_SERVER = ("question_characters", "body_kb", "upload_mb", "files", "file_mb")
AT_THE_START_MODELS = ("threads",)
"""Of the models, what is opened once; every other setting of them is live."""


class Configuration:
    """Thread-safe. Every process follows the files for itself, so a change reaches all workers of a machine."""

    def __init__(self, given: Settings | None = None) -> None:
        """Settings that a program gave are its own affair: no file changes them."""
        self.follows = given is None
        self._reading = Lock()
        self._files = own_file(), Path(FOLDER_FILE)
        # Noted before they are read: what changes in between is read once more.
        self._stamp = self._noted()
        self._now = given or Settings.load()
        self.mistake = ""
        """Why what stands in the files now is not taken, if it is not."""

    @property
    def now(self) -> Settings:
        """The same object until something has changed."""
        if self.follows and self._noted() != self._stamp:
            with self._reading:
                self._read_again()
        return self._now

    def pending(self) -> list[str]:
        """The settings, by their paths, that were changed since the start and wait for the next one."""
        if not self.follows or self.mistake:
            return []
        return differences(self.now, Settings.read())

    def _read_again(self) -> None:
        stamp = self._noted()
        if stamp == self._stamp:
            return
        try:
            now = live(self._now, Settings.load())
        except SettingsError as error:
            self.mistake = str(error)
            _log.warning("The settings have a mistake, so those before it stay in force. %s", error)
        else:
            self.mistake = ""
            if now != self._now:
                self._now = now
        self._stamp = stamp

    def _noted(self) -> tuple[tuple[int, int, int] | None, ...]:
        """What is another once one of the files was written."""
        return tuple(map(_stamp_of, self._files))


def live(running: Settings, wanted: Settings) -> Settings:
    """The settings of a running program, with those of the wanted ones that need no restart."""
    kept = {name: getattr(running.models, name) for name in AT_THE_START_MODELS}
    return running.model_copy(
        update={name: getattr(wanted, name) for name in LIVE_GROUPS}
        | {
            "models": wanted.models.model_copy(update=kept),
            "server": running.server.model_copy(update={name: getattr(wanted.server, name) for name in LIVE_SERVER}),
        }
    )


def differences(one: Settings, other: Settings) -> list[str]:
    """The paths of what is not the same in both."""
    flat_one, flat_other = flat(one), flat(other)
    return [path for path, value in flat_one.items() if value != flat_other[path]]


def flat(settings: Settings) -> dict[str, object]:
    """Every value by its path, `models.chat`."""
    found: dict[str, object] = {}
    for name, value in settings:
        inner = {f"{name}.{part}": held for part, held in value} if isinstance(value, BaseModel) else {name: value}
        found |= inner
    return found


def takes_effect_at_once(path: str) -> bool:
    group, _, name = path.partition(".")
    if group == "models":
        return name in ModelSettings.model_fields and name not in AT_THE_START_MODELS
    return group in LIVE_GROUPS or (group == "server" and name in LIVE_SERVER)


def _stamp_of(file: Path) -> tuple[int, int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size
