"""`docmind repair`: a damaged catalogue built anew from what is left."""

from typing import Annotated, Any

import typer

from docmind.cli.errors import FAILED
from docmind.cli.options import AsJson
from docmind.cli.wrapping import say


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
