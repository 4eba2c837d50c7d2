"""A process that copies a shard and builds the copy's search graph: minutes of work that nobody has to wait for."""

import fcntl
import os
import select
import subprocess
import sys
from pathlib import Path

from docmind.domain.errors import StoreError
from docmind.domain.files import PRIVATE

_COPIED = b"copied\n"
_BLOCK = 1 << 20


class Optimisation:
    """The parent's end: on return from the constructor the copy is made, and the original may be written to again."""

    def __init__(self, source: Path, target: Path, dimension: int) -> None:
        self._process = subprocess.Popen(  # noqa: S603 -- our own module
            [sys.executable, "-m", __name__, str(source), str(target), str(dimension)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=PRIVATE,
        )
        try:
            if self._process.stdout and self._process.stdout.readline() != _COPIED:
                self.wait()
        except BaseException:
            with self._process:
                self.kill()
            raise

    def wait(self) -> None:
        # The child takes the end of its standard input for our death: nothing may close it before the child is done.
        with self._process as process:
            complaint = process.stderr.read() if process.stderr else b""
        if self._process.returncode:
            last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
            raise StoreError(f"The index could not be optimised; it stays as it was. {last}".strip())

    def kill(self) -> None:
        self._process.kill()


def main(source: Path, target: Path, dimension: int) -> None:
    import qdrant_edge

    from docmind.corpus.index.embedded.queries import configuration

    die_with_parent(sys.stdin.fileno())
    copy_sparsely(source, target)
    os.write(sys.stdout.fileno(), _COPIED)
    # Searches on the original come first.
    os.nice(10)
    shard = qdrant_edge.EdgeShard.load(str(target), configuration(dimension, build_graphs=True))
    shard.optimize()
    shard.close()


def die_with_parent(pipe: int) -> None:
    """Let the kernel end this process when the parent's end of `pipe` closes: no Python runs while the engine works."""
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([pipe], [], [], 0)[0]:
        sys.exit("The process that asked for this is gone.")


def copy_sparsely(source: Path, target: Path) -> None:
    """Copy a folder without its holes: the engine reserves far more than it fills."""
    target.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_dir():
            copy_sparsely(path, target / path.name)
        else:
            _copy_file(path, target / path.name)


def _copy_file(source: Path, target: Path) -> None:
    with source.open("rb", buffering=0) as reader, target.open("wb", buffering=0) as writer:
        size = os.fstat(reader.fileno()).st_size
        writer.truncate(size)
        end = 0
        while (start := _next_data(reader.fileno(), end, size)) < size:
            end = os.lseek(reader.fileno(), start, os.SEEK_HOLE)
            reader.seek(start)
            writer.seek(start)
            while start < end:
                block = reader.read(min(_BLOCK, end - start))
                writer.write(block)
                start += len(block)


def _next_data(descriptor: int, offset: int, size: int) -> int:
    try:
        return os.lseek(descriptor, offset, os.SEEK_DATA)
    except OSError:
        # No data beyond here.
        return size


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
