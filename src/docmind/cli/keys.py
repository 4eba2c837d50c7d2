"""`docmind keys`: who may ask the service from elsewhere; each key is shown once, when it is made."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.confirming import Yes, ask_first
from docmind.cli.options import AsJson
from docmind.domain.keys import Role

if TYPE_CHECKING:
    from docmind.domain.keys import Key

app = typer.Typer(name="keys", rich_markup_mode=None, add_completion=False)


@app.callback(invoke_without_command=True)
def keys(context: typer.Context, as_json: AsJson = False) -> None:
    """Create, list and revoke the keys of the service; alone it lists them.

    As soon as there is one, the service asks everybody for a key.
    """
    if context.invoked_subcommand is None:
        list_keys(as_json)
    # An option given before `create` means the same as after it.
    context.default_map = {name: {"as_json": as_json} for name in ("list", "create", "revoke")}


@app.command()
def create(
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", "-w", metavar="W", help="The one workspace it opens; without, every one."),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="U", help="The one user it asks as; without, it is a user of its own."),
    ] = None,
    role: Annotated[
        Role,
        typer.Option("--role", help="A reader asks, an editor also brings in and deletes, an admin may everything."),
    ] = Role.READER,
    rate: Annotated[int | None, typer.Option("--rate", metavar="N", min=1, help="The most requests a minute.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, this once: only its hash is kept.

    Only an admin's key may open every workspace, and only an admin's key without a user may ask as any user.
    """
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        made, token = engine.keys.create(role, workspace=workspace, user=user, per_minute=rate)
    if as_json:
        print_json(_row(made) | {"key": token})
        return
    typer.echo(token)
    typer.echo(f"Keep it: it is not shown again. `docmind keys revoke {made.id}` takes it back.", err=True)


@app.command("list")
def list_keys(as_json: AsJson = False) -> None:
    """List the keys, oldest first, with those that were revoked."""
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.keys.all()
    if as_json:
        print_json([_row(key) for key in found])
    elif found:
        from rich.table import Table

        view = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column in ("id", "workspace", "user", "role", "a minute", "made", "state"):
            view.add_column(column, no_wrap=True)
        for key in found:
            view.add_row(*_cells(key), style="dim" if key.revoked else "")
        out().print(view)
    else:
        typer.echo(
            "There are no keys, so the service is for this machine alone: `docmind keys create` makes one.", err=True
        )


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key's id, as `docmind keys list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Take a key back: from the next request on it opens nothing."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        revoked = engine.keys.revoke(key)
    if as_json:
        print_json(_row(revoked))
    else:
        typer.echo(f"revoked  {revoked.id}")


@app.command()
def clear(yes: Yes = False) -> None:
    """Forget every key, as if there had never been one: the service is then for this machine alone again."""
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        count = len(engine.keys.all())
        if count and not yes:
            ask_first(f"Forget {'the one key' if count == 1 else f'all {count} keys'}?")
        engine.keys.forget()
    typer.echo(f"forgotten  {count}")


def _row(key: "Key") -> dict[str, Any]:
    return {
        "id": key.id,
        "workspace": key.workspace,
        "user": key.user,
        "role": key.role.value,
        "rate": key.per_minute,
        "created": key.created,
        "revoked": key.revoked,
    }


def _cells(key: "Key") -> list[str]:
    from datetime import datetime

    rate = "any number" if key.per_minute is None else str(key.per_minute)
    made = datetime.fromtimestamp(key.created).strftime("%Y-%m-%d %H:%M")
    return [
        key.id,
        key.workspace or "every one",
        key.user or "",
        key.role,
        rate,
        made,
        "revoked" if key.revoked else "valid",
    ]
