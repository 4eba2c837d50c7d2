"""`docmind settings`: what is set and where, and changes to one's own settings file, the same that the page makes."""

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from docmind.cli.app import App
from docmind.cli.options import AsJson

if TYPE_CHECKING:
    from docmind.runtime.settings import Changed
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
    from docmind.cli.terminal import Column, out, printable, show_table

    columns = [Column(name) for name in Origin._fields]
    cells = [(row.variable, printable(row.value) or "not set", row.origin) for row in rows]
    show_table(out(), columns, cells, [_style(row) for row in rows])


def _style(row: Origin) -> str:
    return "dim" if row.origin == "default" else ""


app = App("settings")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The setting, as `models.prompt_tokens` or as its variable.")]


@app.callback(invoke_without_command=True)
def settings(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Also show those that are not set.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show and change settings. Without a command, show those that are set.

    They are kept in ~/.docmind/.env; `docmind models use` and the page's settings write there too. A running service
    uses most changes from the next question on. If a change has to wait for its next start, the command says so.
    """
    if context.invoked_subcommand is None:
        _show(everything=everything, as_json=as_json)


def _show(*, everything: bool, as_json: bool) -> None:
    from docmind.cli.terminal import print_json
    from docmind.settings import Settings
    from docmind.variables import OWN_FILE

    found = [row for row in origins(Settings.load()) if everything or row.origin != "default"]
    if as_json:
        print_json([row._asdict() for row in found])
    elif found:
        show_origins(found)
    else:
        typer.echo(f"Nothing is set; `docmind settings set NAME VALUE` writes to {OWN_FILE}, `--all` lists the names.")


@app.command("set")
def set_(
    name: Name,
    value: Annotated[
        str | None, typer.Argument(metavar="VALUE", help="Its new value. Leave out a key: it is asked for.")
    ] = None,
) -> None:
    """Change a setting. A value that is not allowed is refused, and nothing changes.

    Example: docmind settings set answers.most_wrong 0.2
    """
    from docmind.runtime.settings import change, known

    path = known(name)
    if value is None:
        value = typer.prompt("Value", hide_input=path.endswith("api_key"))
    _tell(path, change({path: value}, at_the_machine=True))


@app.command()
def unset(name: Name) -> None:
    """Remove a setting from the file, so that its default applies again."""
    from docmind.runtime.settings import change, known

    path = known(name)
    _tell(path, change({path: None}, at_the_machine=True))


def _tell(path: str, changed: "Changed") -> None:
    for name in changed.at_once:
        typer.echo(f"changed  {name}")
    for name in changed.at_the_next_start:
        typer.echo(f"changed  {name} (a running service uses it after its next start)")
    for note in changed.notes:
        typer.echo(note, err=True)
    if not changed.at_once and not changed.at_the_next_start:
        typer.echo(f"unchanged  {path}")
