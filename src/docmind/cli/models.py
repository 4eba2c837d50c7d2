"""`docmind models`: which chat models are in use, which are on offer here, and the choice of one."""

from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.app import App
from docmind.cli.options import AsJson
from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from docmind.settings import Settings

app = App("models")

Url = Annotated[str | None, typer.Option("--url", metavar="URL", help="A server that speaks OpenAI's protocol.")]


@app.callback(invoke_without_command=True)
def models(context: typer.Context, url: Url = None, as_json: AsJson = False) -> None:
    """Show the chat models in use and those on offer; `use` chooses one."""
    if context.invoked_subcommand is None:
        list_models(url, as_json)


def list_models(url: str | None, as_json: bool) -> None:
    """What is in use, and what a local Ollama or the server at the address offers."""
    from docmind.cli.terminal import print_json
    from docmind.domain.errors import ModelError
    from docmind.models.chat.offered import offered_at, offered_by_ollama
    from docmind.settings import Settings

    settings = Settings.load()
    address = url or _address(settings)
    key = settings.models.chat_api_key
    offered, missing = [], ""
    try:
        if address is None:
            offered = offered_by_ollama()
        else:
            offered = offered_at(address, key.get_secret_value() if key and not url else None)
    except ModelError as error:
        if url is not None:
            raise
        missing = str(error)
    used = _used(settings)
    if as_json:
        print_json({"used": used, "offered": offered})
        return
    for role, name in used.items():
        typer.echo(f"{role:<9} {name}")
    typer.echo()
    if offered:
        typer.echo("On offer:")
        for name in offered:
            typer.echo(f"  {name}")
        typer.echo("Choose one with `docmind models use NAME`.")
    elif address is not None:
        say(missing or f"{address} offers no model.")
    else:
        say(
            "Ollama is not running on this machine. Choose a provider's model with `docmind models use openai:NAME`, "
            "or list those of a server with `docmind models --url http://HOST/v1`."
        )


@app.command()
def use(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model, or `none` to do without one.")],
    key: Annotated[bool, typer.Option("--key", help="Ask for its key, which is kept for it alone.")] = False,
    unchecked: Annotated[bool, typer.Option("--unchecked", help="Do not try it first.")] = False,
) -> None:
    """Choose the chat model that writes and judges answers. It is tried first.

    Example: docmind models use none
    """
    from pydantic import SecretStr

    from docmind.domain.addresses import without_password
    from docmind.runtime.chat_models import stored_key, try_model
    from docmind.runtime.settings import change
    from docmind.settings import NO_MODEL, Settings
    from docmind.variables import OWN_FILE

    chosen = Settings.load().models
    given = SecretStr(_asked_for()) if key else None
    if name != NO_MODEL and not unchecked:
        stored = stored_key(chosen, "chat", name, at_the_machine=True)
        typer.echo(f"{try_model(chosen, name, given or stored)}.")
    kept = {"models.chat_api_key": given.get_secret_value()} if given else {}
    changed = change({"models.chat": name, **kept}, at_the_machine=True)
    if name == NO_MODEL:
        say("No chat model is used any more.")
    else:
        say(f"{without_password(name)} now writes and judges the answers ({OWN_FILE}).")
    for note in changed.notes:
        say(note, err=True)


def _asked_for() -> str:
    entered: str = typer.prompt("Key", hide_input=True)
    return entered.strip()


def _address(settings: "Settings") -> str | None:
    named = settings.models.chat or ""
    return named if named.startswith(("http://", "https://")) else None


def _used(settings: "Settings") -> dict[str, str]:
    chosen = settings.models
    if chosen.chat is None:
        return {"chat": "none: answers are sentences from the documents"}
    return {
        "chat": chosen.chat,
        "fallback": chosen.fallback or "the documents' own sentences",
        "judge": chosen.judge or "the same model, beside the local checks",
    }
