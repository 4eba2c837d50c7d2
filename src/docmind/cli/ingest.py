"""`docmind ingest`: bring files, folders, archives and web pages into a workspace."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.errors import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.progress import shown_progress

if TYPE_CHECKING:
    from docmind.corpus.report import IngestReport


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
