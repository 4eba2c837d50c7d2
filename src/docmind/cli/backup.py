"""`docmind backup`, `restore` and `repair`: the data folder in one file, back, and mended where it is damaged."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.errors import FAILED
from docmind.cli.options import AsJson
from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from docmind.runtime.backup import Restored
    from docmind.settings import Settings


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file if it is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the whole data folder into one file, as it is at this moment.

    Services and ingests may keep running. The file holds documents, uploads, runs, memory and the hashes of keys, and
    only you can read it; the settings file is not in it.
    """
    from docmind.cli.terminal import print_json
    from docmind.runtime.backup import write_backup
    from docmind.settings import Settings

    made = write_backup(Settings.load(), file, overwrite=force)
    manifest = made.manifest
    if as_json:
        told = {"file": str(made.file), "made": manifest.made, "bytes": manifest.size, "database": manifest.database}
        print_json(told | {"databases": made.databases, "files": made.originals})
        return
    typer.echo(
        f"backed up  {_counted(made.databases, 'database')} and {_counted(made.originals, 'uploaded file')}, "
        f"{manifest.size / 1e6:,.1f} MB, in {made.file}"
    )
    if manifest.database == "postgresql":
        say(
            "Documents, runs, memory and keys are in PostgreSQL and not in this file: back them up with pg_dump.",
            err=True,
        )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `docmind backup` wrote.")],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="FOLDER", help="Restore into this data folder instead of the one set."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the data that is there; it is kept in a folder beside.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Restore a backup: all of it, or nothing if anything is wrong with it.

    A running service may keep running: it serves the old data until the new data is ready, then switches to it. Stop
    other programs that use the data folder first (`docmind chat`, `docmind watch`, an ingest).
    """
    from docmind.cli.terminal import print_json
    from docmind.runtime.backup import restore as restore_backup

    done = restore_backup(_settings(into), file, overwrite=force, tell=lambda told: say(told, err=True))
    if as_json:
        replaced = None if done.replaced is None else str(done.replaced)
        print_json({"folder": str(done.root), "made": done.manifest.made, "replaced": replaced, **_counts(done)})
        return
    counts = _counts(done)
    typer.echo(
        f"restored  {_counted(counts['documents'], 'document')} in {_counted(counts['workspaces'], 'workspace')} "
        f"and {_counted(counts['runs'], 'run')}, as of {done.manifest.made}, in {done.root}"
    )
    if done.replaced is not None:
        say(f"What was there before is in {done.replaced}. Delete it once you do not need it.", err=True)
    if done.manifest.database == "postgresql":
        say("Only the uploaded files were restored: the rest is in PostgreSQL (pg_restore).", err=True)


def _settings(into: Path | None) -> "Settings":
    from docmind.settings import Settings

    settings = Settings.load()
    return settings if into is None else settings.model_copy(update={"data_dir": into})


def _counts(done: "Restored") -> dict[str, int]:
    found = done.workspaces
    return {
        "workspaces": len(found),
        "documents": sum(one.documents for one in found),
        "runs": sum(one.runs for one in found),
    }


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def repair(
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when any document is lost.")] = False,
) -> None:
    """Rebuild a damaged catalogue of documents, and move the damaged file aside.

    What can still be read of it is kept. Other documents are read again, from their uploads or from where they were.
    Runs, conversations, memory and keys are not touched.
    """
    from docmind.cli.terminal import out, print_json, printable
    from docmind.runtime.repair import repair as build_anew
    from docmind.settings import Settings

    done = build_anew(Settings.load(), lambda told: say(told, err=True))
    if as_json:
        told: dict[str, Any] = {"kept": done.kept, "read_again": done.again, "lost": done.lost}
        print_json(told | {"unnamed": [str(file) for file in done.unnamed], "damaged": str(done.damaged)})
    else:
        for name in done.lost:
            out().print(printable(f"lost      {name}: ingest it again"), style="red", soft_wrap=True)
        for file in done.unnamed:
            out().print(printable(f"unnamed   {file}: upload it again under its name"), style="yellow", soft_wrap=True)
        typer.echo(f"repaired  {done.kept} kept, {len(done.again)} read again, {len(done.lost)} lost")
        say(
            f"The damaged file is in {done.damaged}. Ingest your folders once more: what is there already is skipped.",
            err=True,
        )
    if strict and (done.lost or done.unnamed):
        raise typer.Exit(FAILED)
