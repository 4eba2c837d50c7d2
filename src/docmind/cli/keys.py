"""`docmind keys`: who may ask the service from elsewhere; each key is shown once, when it is made."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli import known
from docmind.cli.app import App
from docmind.cli.options import AsJson, Yes, ask_first
from docmind.cli.wrapping import say
from docmind.domain.scope import Role

if TYPE_CHECKING:
    from docmind.domain.scope import Key

app = App("keys")


@app.callback(invoke_without_command=True)
def keys(context: typer.Context, as_json: AsJson = False) -> None:
    """Create, list and revoke the keys of the service. Without a command, list them.

    As soon as there is one, every request to the service needs a key.
    """
    if context.invoked_subcommand is None:
        list_keys(as_json)
    # An option given before `create` means the same as after it.
    context.default_map = {name: {"as_json": as_json} for name in ("list", "create", "revoke")}


@app.command()
def create(
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            "-w",
            metavar="W",
            help="The only workspace it opens; without this, every workspace.",
            autocompletion=known.workspaces,
        ),
    ] = None,
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="U", help="The user it acts as; without this, it is a user of its own."),
    ] = None,
    role: Annotated[
        Role,
        typer.Option("--role", help="A reader asks; an editor also adds and deletes; an admin may do everything."),
    ] = Role.READER,
    rate: Annotated[int | None, typer.Option("--rate", metavar="N", min=1, help="The most requests a minute.")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a key and print it. It is shown only this once; DocMind keeps just its hash.

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
    say(f"Save it now: it is not shown again. `docmind keys revoke {made.id}` revokes it.", err=True)


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
        from docmind.cli.terminal import Column, show_table

        columns = [Column(name) for name in ("id", "workspace", "user", "role", "a minute", "made", "state")]
        styles = ["dim" if key.revoked else "" for key in found]
        show_table(out(), columns, [_cells(key) for key in found], styles)
    else:
        say(
            "There are no keys, so only this machine can use the service. Create one with `docmind keys create`.",
            err=True,
        )


@app.command()
def revoke(
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key's id, as `docmind keys list` shows it.")],
    as_json: AsJson = False,
) -> None:
    """Revoke a key. It stops working with the next request."""
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
    """Delete all keys. After that, only this machine can use the service."""
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

    rate = "no limit" if key.per_minute is None else str(key.per_minute)
    made = datetime.fromtimestamp(key.created).strftime("%Y-%m-%d %H:%M")
    return [
        key.id,
        key.workspace or "all",
        key.user or "",
        key.role,
        rate,
        made,
        "revoked" if key.revoked else "valid",
    ]
