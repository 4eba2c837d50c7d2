"""Whose file is read next: everybody in turn, and of each the small files before the large."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from docmind.corpus.uploads import FileState, QueuedFile
from docmind.domain.scope import Scope

SMALL_BYTES = 2 << 20
"""Up to this size a file is small: it is usually read within seconds."""
LONG_WAIT_S = 120.0
"""A large file that has waited so long takes its turn as if it were small, or small ones could keep it out for ever."""


def in_turn(
    files: Sequence[QueuedFile], served: Mapping[Scope, int], clock: Callable[[], float] = time.time
) -> list[QueuedFile]:
    """The files that may be begun, in the order in which they should be.

    `files` are all that are not finished, in the order they came; `served` tells when each scope had its last turn.
    First comes who has the fewest files being read, then who has waited longest for a turn.
    """
    reading = Counter(one.scope for one in files if one.state is FileState.READING)
    now = clock()

    def rank(file: QueuedFile) -> tuple[int, int, bool]:
        is_large = file.bytes > SMALL_BYTES and now - file.sent < LONG_WAIT_S
        return reading[file.scope], served.get(file.scope, 0), is_large

    return sorted(_oldest_of_each_name(files), key=rank)


def _oldest_of_each_name(files: Sequence[QueuedFile]) -> list[QueuedFile]:
    """Of files of one name the one that came first: what was sent last must also be stored last."""
    first: dict[tuple[Scope, str], QueuedFile] = {}
    for file in files:
        first.setdefault((file.scope, file.name), file)
    return list(first.values())
