"""Every setting with its value and where that came from, secrets masked."""

import re
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from docmind.cli.terminal import printable
from docmind.settings import Settings, given, variables

# Up to the last @, because a password may hold one too.
_PASSWORD_IN_ADDRESS = re.compile(r"(://[^/@\s:]*):\S*@")


class Origin(NamedTuple):
    variable: str
    value: str
    origin: str
    """`environment`, the file it stands in, or `default`."""


def origins(settings: Settings) -> list[Origin]:
    """In the order in which the settings are declared."""
    places = given()
    return [
        Origin(name, _PASSWORD_IN_ADDRESS.sub(r"\1:********@", value), places.get(name, "default"))
        for name, value in variables(settings).items()
    ]


def table(console: Console, rows: list[Origin]) -> None:
    view = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in Origin._fields:
        view.add_column(column, overflow="fold")
    for row in rows:
        view.add_row(row.variable, printable(row.value) or "not set", row.origin, style=_style(row))
    console.print(view)


def _style(row: Origin) -> str:
    return "dim" if row.origin == "default" else ""
