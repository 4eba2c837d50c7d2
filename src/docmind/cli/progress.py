"""How far an ingest is: a bar in a terminal, a line now and then where nobody watches."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from docmind.cli.terminal import err, printable
from docmind.corpus import report

LINE_EVERY_S = 15.0
_NAME_WIDTH = 32


@contextmanager
def shown(total: int) -> Iterator[report.Progress]:
    """Show progress over `total` files on standard error, through the callback that is handed out."""
    console = err()
    if console.is_terminal:
        with _bar(console, total) as progress:
            yield progress
    else:
        yield _lines(total)


@contextmanager
def _bar(console: Console, total: int) -> Iterator[report.Progress]:
    columns = (
        SpinnerColumn(),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("files · {task.fields[passages]:,} passages"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[name]}", style="dim", markup=False),
    )
    files = _Files()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("ingest", total=total, passages=0, name="")

        def advance(filed: report.Filed, so_far: report.IngestReport) -> None:
            shown_name = printable(filed.name)[-_NAME_WIDTH:]
            bar.update(task, completed=files.count(filed.name), passages=so_far.passages, name=shown_name)

        yield advance


def _lines(total: int) -> report.Progress:
    files = _Files()
    due = time.monotonic() + LINE_EVERY_S

    def advance(filed: report.Filed, _so_far: report.IngestReport) -> None:
        nonlocal due
        done = files.count(filed.name)
        if time.monotonic() >= due:
            typer.echo(f"{done:,} of {total:,} files done", err=True)
            due = time.monotonic() + LINE_EVERY_S

    return advance


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
