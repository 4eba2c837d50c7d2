"""`docmind ingest`: bring files, folders and archives into a workspace."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.edge import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace

if TYPE_CHECKING:
    from docmind.corpus.report import IngestReport


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files, folders or ZIP archives.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when any file is rejected.")] = False,
) -> None:
    """Bring files, folders and archives into a workspace.

    Unchanged files are skipped and changed ones replaced, so the same command can be run again at any time, also after
    it was interrupted. Files that cannot be read are named with the reason and the rest goes in; the exit code is 1
    when nothing could be read at all, or with --strict when any file was rejected.

    \b
    Example:
      docmind ingest examples/strategy --workspace strategy
    """
    from docmind.cli.progress import shown
    from docmind.cli.terminal import out, print_json, printable
    from docmind.corpus.discover import count_files
    from docmind.domain.scope import Scope
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    started = time.monotonic()
    with DocMind() as engine, shown(count_files(paths)) as progress:
        try:
            report = engine.ingest(paths, scope, progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("Interrupted. What is done is kept; the same command goes on from there.") from None
    seconds = time.monotonic() - started
    if as_json:
        print_json({**asdict(report), "seconds": round(seconds, 3)})
    else:
        for rejection in report.rejected:
            out().print(printable(f"rejected  {rejection.name}: {rejection.reason}"), style="red", soft_wrap=True)
        for note in report.notes:
            out().print(printable(f"note      {note.name}: {note.text}"), style="yellow", soft_wrap=True)
        out().print(summary(report, seconds))
    if (strict and report.rejected) or report.files == len(report.rejected):
        raise typer.Exit(FAILED)


def summary(report: "IngestReport", seconds: float) -> str:
    """The whole run in a line, counts that are nought left out."""
    if not report.files:
        return "There is no file to read there."
    counts = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "rejected": len(report.rejected),
    }
    files = f"{report.files:,} file{'s' if report.files != 1 else ''}"
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    new = f"; {report.passages:,} passages in {seconds:.1f} s" if report.passages else ""
    return f"{files}: {told}{new}"
