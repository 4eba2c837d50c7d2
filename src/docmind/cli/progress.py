"""How far an ingest is: a bar in a terminal, a line now and then where nobody watches."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from rich.console import Console

    from docmind.corpus.report import Filed, IngestReport, Progress
    from docmind.runtime.reindexing import ReindexProgress, WorkspaceVectors

LINE_EVERY_S = 15.0
_NAME_WIDTH = 32
_SEARCHABLE = "All files are read and can be searched. Search gets better while their passages are embedded."


@dataclass(slots=True)
class Followed:
    """What an ingest calls as it goes on."""

    read: "Progress"
    show_embedded: "ReindexProgress"
    searchable: float | None = field(default=None, init=False)
    """When all files could be searched, where their passages are embedded after that."""

    def embedded(self, told: "WorkspaceVectors") -> None:
        first, self.searchable = self.searchable is None, self.searchable or time.monotonic()
        if first:
            say(_SEARCHABLE, err=True)
        self.show_embedded(told)


@contextmanager
def shown_progress(total: int) -> Iterator[Followed]:
    """Show progress over `total` files on standard error."""
    from docmind.cli.terminal import err

    console = err()
    if console.is_terminal:
        with _bar(console, total) as followed:
            yield followed
    else:
        yield _lines(total)


@contextmanager
def _bar(console: "Console", total: int) -> Iterator[Followed]:
    from rich import progress

    from docmind.cli.terminal import printable

    columns = (
        progress.SpinnerColumn(),
        progress.BarColumn(bar_width=24),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[what]}"),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.fields[name]}", style="dim", markup=False),
    )
    files = _Files()
    with progress.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("ingest", total=total, what="files", name="")

        def read(filed: "Filed", so_far: "IngestReport") -> None:
            shown_name = printable(filed.name)[-_NAME_WIDTH:]
            what = f"files · {so_far.passages:,} passages"
            bar.update(task, completed=files.count(filed.name), what=what, name=shown_name)

        def show_embedded(told: "WorkspaceVectors") -> None:
            bar.update(task, total=told.passages, completed=told.done or 0, what="passages embedded", name="")

        yield Followed(read, show_embedded)


def _lines(total: int) -> Followed:
    files = _Files()
    due = time.monotonic() + LINE_EVERY_S

    def tell(line: str) -> None:
        nonlocal due
        if time.monotonic() >= due:
            say(line, err=True)
            due = time.monotonic() + LINE_EVERY_S

    def read(filed: "Filed", _so_far: "IngestReport") -> None:
        done = files.count(filed.name)
        tell(f"{done:,} of {total:,} files done")

    def show_embedded(told: "WorkspaceVectors") -> None:
        tell(f"{told.done or 0:,} of {told.passages:,} passages embedded")

    return Followed(read, show_embedded)


class _Files:
    """Counts files as a folder lists them: an archive is one, however many members it has."""

    def __init__(self) -> None:
        self._done = 0
        self._archives: set[str] = set()

    def count(self, name: str) -> int:
        archive, bang, _ = name.partition("!")
        if not bang:
            self._done += 1
        elif archive not in self._archives:
            self._archives.add(archive)
            self._done += 1
        return self._done
