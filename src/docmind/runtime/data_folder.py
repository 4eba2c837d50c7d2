"""Who uses the data folder, and how a restored one takes its place: all of it at once, whatever is killed on the way.

Everybody who uses the folder holds a shared lock on it. A restore puts what is to come into `restore/new`, writes down
that it is complete (`asked.json`), and whoever then has the folder to himself makes the exchange: the restore itself,
or whoever opens the folder next. From the moment it begins (`decided.json`) it is finished before anybody goes on.
"""

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from docmind.domain.errors import StoreLocked, UnderWay
from docmind.domain.files import make_folder, sync_folder, write_json

DATABASES = ("catalogue.db", "runs.db", "checkpoints.db", "memory.db", "keys.db")
"""What must not be lost, as long as it is kept in files."""
CACHE = "embeddings.db"
ORIGINALS = "originals"
INDEX = "index"
RESTORE, BACKUP = "restore", "backup"
"""Where a restore and a backup put what they are making."""
_BESIDE = ("", "-wal", "-shm", "-journal")
CATALOGUE = tuple(f"{DATABASES[0]}{beside}" for beside in _BESIDE)
EXCHANGED = (*(f"{name}{beside}" for name in (*DATABASES, CACHE) for beside in _BESIDE), ORIGINALS, INDEX)
"""What a restored folder brings along, or takes away where its backup had none."""

_ASKED, _DECIDED = "asked.json", "decided.json"
_PATIENCE_S = 30.0
_AGAIN_S = 0.05


class InUse:
    """The data folder, from when it is opened until `close`; nothing takes its place meanwhile."""

    def __init__(self, root: Path) -> None:
        make_folder(root)
        self.root = root
        self._lock = _enter(root)

    def close(self) -> None:
        os.close(self._lock)


def is_wanted(root: Path) -> bool:
    """Whether a restore waits for everybody to close the data folder."""
    return (root / RESTORE / _ASKED).exists()


def is_used(root: Path) -> bool:
    """Whether there is anything in the folder that a restore would replace."""
    return any((root / name).exists() for name in EXCHANGED)


@contextmanager
def workroom(root: Path, name: str, doing: str) -> Iterator[Path]:
    """An empty folder within the data folder, for one process at a time; gone at the end."""
    folder = root / name
    make_folder(folder)
    lock = os.open(folder, os.O_RDONLY)
    try:
        if not _locked(lock, fcntl.LOCK_EX):
            raise UnderWay(f"{doing} of {root} is under way in another process; wait for it to end.")
        # What a killed process left. An exchange that has begun was finished when the data folder was opened.
        _empty(folder)
        try:
            yield folder
        finally:
            # Somebody may have been asked to finish what is here.
            if not (folder / _DECIDED).exists():
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def exchange(root: Path, patience_s: float) -> Path | None:
    """Put what lies in `restore/new` in the place of what is there, as soon as nobody uses the folder.

    Returns where that lies now, if there was anything.
    """
    room, replaced = root / RESTORE, _ask(root, EXCHANGED)
    deadline = time.monotonic() + patience_s
    lock = os.open(root, os.O_RDONLY)
    try:
        while (room / _ASKED).exists() or (room / _DECIDED).exists():
            if _locked(lock, fcntl.LOCK_EX):
                _exchange(root)
            elif time.monotonic() > deadline and _withdrawn(room):
                raise StoreLocked(_IN_USE.format(root=root))
            time.sleep(_AGAIN_S)
    finally:
        os.close(lock)
    return replaced if replaced.exists() else None


@contextmanager
def to_oneself(root: Path) -> Iterator[None]:
    """Nobody else uses the data folder meanwhile; whoever does already is not waited for."""
    # Also to finish what a restore began.
    InUse(root).close()
    lock = os.open(root, os.O_RDONLY)
    try:
        if not _locked(lock, fcntl.LOCK_EX):
            raise StoreLocked(f"Another process uses {root}: end it first (`docmind serve`, chat, watch, an ingest).")
        yield
    finally:
        os.close(lock)


def exchange_some(root: Path, among: Sequence[str]) -> Path:
    """The same for some names alone, by whoever has the folder to himself; returns where lies what was there."""
    replaced = _ask(root, among)
    _exchange(root)
    return replaced


def _ask(root: Path, among: Sequence[str]) -> Path:
    """Write down that all is there that is to come."""
    replaced = _unused(root, f"replaced-{time.strftime('%Y%m%d-%H%M%S')}")
    names = [name for name in among if (root / RESTORE / "new" / name).exists()]
    write_json(root / RESTORE / _ASKED, {"among": list(among), "names": names, "replaced": replaced.name})
    return replaced


def _unused(root: Path, name: str) -> Path:
    """A path of its own for what is replaced, also when two restores begin within one second."""
    path, number = root / name, 1
    while path.exists():
        number += 1
        path = root / f"{name}-{number}"
    return path


_IN_USE = (
    "Nothing was restored: another process uses {root}. A service (`docmind serve`) makes room by itself; end "
    "`docmind chat`, `docmind watch`, an ingest or your own programs, and restore again."
)


def _enter(root: Path) -> int:
    """A shared lock on the folder, taken once no exchange is to be made any more."""
    lock = os.open(root, os.O_RDONLY)
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        if _is_open(root):
            if _locked(lock, fcntl.LOCK_EX):
                _exchange(root)
        elif _locked(lock, fcntl.LOCK_SH):
            if not _is_open(root):
                return lock
            # It was asked for just now, by somebody who waits for us.
            fcntl.flock(lock, fcntl.LOCK_UN)
        if time.monotonic() > deadline:
            os.close(lock)
            raise StoreLocked(f"{root} is being restored or repaired; try again when that has ended.")
        time.sleep(_AGAIN_S)


def _is_open(root: Path) -> bool:
    return any((root / RESTORE / name).exists() for name in (_ASKED, _DECIDED))


def _exchange(root: Path) -> None:
    """To be called with the folder to oneself. It may have been begun by a process that was killed."""
    room = root / RESTORE
    # Whoever moves this has the say: a restore that gives up takes it back.
    with suppress(FileNotFoundError):
        (room / _ASKED).replace(room / _DECIDED)
    if not (room / _DECIDED).exists():
        return
    plan = json.loads((room / _DECIDED).read_text("utf-8"))
    new, old = room / "new", root / plan["replaced"]
    for name in plan["among"]:
        comes = (new / name).exists()
        # What comes and is not in `new` any more stands in its place already.
        if (comes or name not in plan["names"]) and (root / name).exists():
            make_folder(old)
            (root / name).replace(old / name)
        if comes:
            (new / name).replace(root / name)
    for folder in (root, new, *([old] if old.exists() else [])):
        sync_folder(folder)
    (room / _DECIDED).unlink()
    shutil.rmtree(new, ignore_errors=True)
    with suppress(OSError):
        room.rmdir()


def _withdrawn(room: Path) -> bool:
    """Take the request back; False where somebody has begun with it."""
    try:
        (room / _ASKED).unlink()
    except FileNotFoundError:
        return False
    return True


def _locked(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
