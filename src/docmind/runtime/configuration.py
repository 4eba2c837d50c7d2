"""The settings that are in force: those an engine started with, and of the live ones what stands in the files now."""

import logging
from pathlib import Path
from threading import Lock

from pydantic import BaseModel

from docmind.domain.errors import SettingsError
from docmind.runtime.settings_file import own_file
from docmind.settings import ModelSettings, Settings
from docmind.variables import FOLDER_FILE

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
