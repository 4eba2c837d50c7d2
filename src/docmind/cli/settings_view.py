"""Every setting with its value and where that came from, secrets masked."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from docmind.settings import Settings


class Origin(NamedTuple):
    variable: str
    value: str
    origin: str
    """`environment`, the file it stands in, or `default`."""


def origins(settings: "Settings") -> list[Origin]:
    """In the order in which the settings are declared."""
    from docmind.domain.addresses import without_password
    from docmind.settings import given, variables

    places = given()
    return [
        Origin(name, without_password(value), places.get(name, "default"))
        for name, value in variables(settings).items()
    ]


def show_origins(rows: list[Origin]) -> None:
    from docmind.cli.tables import Column, show_table
    from docmind.cli.terminal import out, printable

    columns = [Column(name) for name in Origin._fields]
    cells = [(row.variable, printable(row.value) or "not set", row.origin) for row in rows]
    show_table(out(), columns, cells, [_style(row) for row in rows])


def _style(row: Origin) -> str:
    return "dim" if row.origin == "default" else ""
