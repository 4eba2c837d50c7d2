"""Where one workspace's shard lies."""

import hashlib
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from docmind.domain.durable_file import read_json, write_json

_POINTER = "current.json"


@dataclass(frozen=True, slots=True)
class Current:
    generation: int
    unindexed: int
    """About how many vectors were written since the search graph was built; a kill may lose some of the count."""
    dimension: int | None = None
    """Of its vectors; the first version left it to the store, which had vectors of one embedder."""


def begun(root: Path) -> bool:
    """Whether anything was ever written to the index; one that was only opened may as well be of another embedder."""
    return any(root.glob(f"*/{_POINTER}"))


class Generations:
    """Where a workspace's shard lies, so that a better copy can take its place and a kill at any moment harms neither.

    A workspace folder holds numbered generations and `current.json`, which names the one that counts. Replacing that
    file is the only commit: any generation it does not name is the rest of something interrupted, and is removed on
    opening.
    """

    def __init__(self, root: Path, workspace: str) -> None:
        # Names that differ in case alone are one file name on some disks; the hash keeps them apart.
        digest = hashlib.sha256(workspace.encode()).hexdigest()[:12]
        self.folder = root / f"{workspace.lower()}-{digest}"
        self._pointer = self.folder / _POINTER

    def path(self, generation: int) -> Path:
        return self.folder / f"{generation:06d}"

    def current(self) -> Current | None:
        content = read_json(self._pointer)
        return Current(**content) if content else None

    def commit(self, current: Current) -> None:
        write_json(self._pointer, asdict(current))

    def remove_remains(self) -> None:
        """Remove every generation that is not the current one."""
        current = self.current()
        for path in self.folder.glob("[0-9]*"):
            if current is None or path != self.path(current.generation):
                remove(path)

    def drop(self) -> None:
        # The pointer goes first: without it the rest counts for nothing, however far the removal gets.
        self._pointer.unlink(missing_ok=True)
        remove(self.folder)


def remove(path: Path) -> None:
    """What cannot be removed now, because a process that is being killed still writes there, is removed next time."""
    shutil.rmtree(path, ignore_errors=True)
