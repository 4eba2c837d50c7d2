"""`docmind doctor`: is this installation well, and if not, what to do."""

from collections.abc import Collection
from typing import Annotated, Any

import typer

from docmind.cli.checks import BROKEN, examine, show_check
from docmind.cli.errors import FAILED
from docmind.cli.options import AsJson
from docmind.cli.settings_view import origins, show_origins


def doctor(
    context: typer.Context,
    settings: Annotated[bool, typer.Option("--settings", help="Print every setting and where it comes from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check this installation, part by part.

    The exit code is 1 when something is broken.
    """
    if settings:
        _show_settings(as_json)
    else:
        program: Any = context.find_root().command
        _show_checks(program.commands, as_json)


def _show_settings(as_json: bool) -> None:
    from docmind.cli.terminal import print_json
    from docmind.settings import Settings, given, refuse_unknown

    found = origins(Settings.read())
    if as_json:
        print_json([origin._asdict() for origin in found])
    else:
        show_origins(found)
    # Only now: whoever misspelt a name came here for the list.
    refuse_unknown(given())


def _show_checks(commands: Collection[str], as_json: bool) -> None:
    from docmind.cli.terminal import out, print_json

    found = []
    for check in examine(commands):
        found.append(check)
        if not as_json:
            show_check(out(), check)
    if as_json:
        print_json([check._asdict() for check in found])
    if any(check.state == BROKEN for check in found):
        raise typer.Exit(FAILED)
