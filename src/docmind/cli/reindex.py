"""`docmind reindex`: embed what is stored again, by the embedder that is set now."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli import known
from docmind.cli.options import AsJson

if TYPE_CHECKING:
    from docmind.runtime.reindex import ReindexProgress, WorkspaceVectors

LINE_EVERY_S = 15.0


def reindex(
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            "-w",
            metavar="W",
            help="Only this workspace.",
            autocompletion=known.workspaces,
            show_default="all",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Embed what is stored again, after the embedder or its weights changed.

    The texts are in the store, so no file is read again. Searches go on with the old index until the new one is whole;
    documents, runs, threads, memory and keys stay as they are. If it is interrupted, run it again to continue.

    A workspace that already uses this embedder is not embedded again; whatever its index lost is restored.

    \b
    Examples:
      docmind settings set models.embedder static
      docmind reindex
      docmind reindex --workspace strategy
    """
    from docmind.cli.terminal import out, print_json, printable
    from docmind.runtime.engine import DocMind

    started = time.monotonic()
    with DocMind() as engine, _shown() as progress:
        try:
            changed = engine.reindex(workspace, progress)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                "Interrupted. Searches go on with the old index. Run the same command again to continue."
            ) from None
    seconds = round(time.monotonic() - started, 3)
    if as_json:
        print_json({"reindexed": [asdict(one) for one in changed], "seconds": seconds})
        return
    for one in changed:
        out().print(printable(f"{one.workspace}: {_passages(one)}, embedded by {one.embedder}"), soft_wrap=True)
    out().print(
        f"Done in {seconds:.1f} s." if changed else "Every index is whole and made by the embedder that is set."
    )


@contextmanager
def _shown() -> "Iterator[ReindexProgress]":
    """Show progress on standard error: a line that changes in a terminal, a new one now and then elsewhere."""
    from docmind.cli.terminal import err, printable
    from docmind.cli.wrapping import say

    console = err()
    if console.is_terminal:
        with console.status("Reindexing …") as status:
            yield lambda told: status.update(printable(_progress(told)))
        return
    due = time.monotonic() + LINE_EVERY_S

    def line(told: "WorkspaceVectors") -> None:
        nonlocal due
        if time.monotonic() >= due:
            say(_progress(told), err=True)
            due = time.monotonic() + LINE_EVERY_S

    yield line


def _progress(told: "WorkspaceVectors") -> str:
    return f"{told.workspace}: {told.done or 0:,} of {_passages(told)}"


def _passages(told: "WorkspaceVectors") -> str:
    return f"{told.passages:,} passage{'s' if told.passages != 1 else ''}"
