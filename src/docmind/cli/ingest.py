"""`docmind ingest`: bring files, folders, archives and web pages into a workspace, and show how far that is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.errors import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from rich.console import Console

    from docmind.corpus.report import Filed, IngestReport, Progress
    from docmind.runtime.reindex import ReindexProgress, WorkspaceVectors


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


def ingest(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Files, folders, ZIP archives or web addresses.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when any file is rejected.")] = False,
) -> None:
    """Bring files, folders, archives and web pages into a workspace.

    Unchanged files are skipped and changed ones replaced, so the same command can be run again at any time, also after
    it was interrupted. Files that cannot be read are named with the reason, and the rest is ingested; the exit code is
    1 when nothing could be read at all, or with --strict when any file was rejected.

    If you begin a workspace with many documents, they can be searched as soon as they are read, and search gets better
    while the command embeds their passages. If it is interrupted, run it again to continue.

    A web address is fetched each time, and replaced if it has changed.

    \b
    Examples:
      docmind ingest examples/strategy --workspace strategy
      docmind ingest https://example.org/handbook.pdf
    """
    from docmind.cli.terminal import out, print_json, printable
    from docmind.corpus.discover import count_files
    from docmind.corpus.web import is_web_address
    from docmind.domain.scope import Scope
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    started = time.monotonic()
    addresses = sum(map(is_web_address, paths))
    files = [Path(path) for path in paths if not is_web_address(path)]
    with DocMind() as engine, shown_progress(count_files(files) + addresses) as followed:
        try:
            report = engine.ingest(paths, scope, followed.read, followed.embedded)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                "Interrupted. What was finished is kept. Run the same command again to continue."
            ) from None
    seconds = time.monotonic() - started
    searchable = seconds if followed.searchable is None else followed.searchable - started
    if as_json:
        print_json({**asdict(report), "searchable_s": round(searchable, 3), "seconds": round(seconds, 3)})
    else:
        for rejection in report.rejected:
            out().print(printable(f"rejected  {rejection.name}: {rejection.reason}"), style="red", soft_wrap=True)
        for note in report.notes:
            out().print(printable(f"note      {note.name}: {note.text}"), style="yellow", soft_wrap=True)
        out().print(summary(report, seconds, searchable))
    if (strict and report.rejected) or report.files == len(report.rejected):
        raise typer.Exit(FAILED)


def summary(report: "IngestReport", seconds: float, searchable: float | None = None) -> str:
    """The whole run in a line, counts that are nought left out."""
    if not report.files:
        return "No files to read were found."
    counts = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "rejected": len(report.rejected),
    }
    files = f"{report.files:,} file{'s' if report.files != 1 else ''}"
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    first = f", searchable after {searchable:.1f} s" if searchable is not None and searchable < seconds else ""
    new = f"; {report.passages:,} passages in {seconds:.1f} s{first}" if report.passages else ""
    return f"{files}: {told}{new}"
