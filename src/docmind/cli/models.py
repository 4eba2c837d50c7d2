"""`docmind models`: which chat models are in use, which are on offer here, and the choice of one."""

from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.options import AsJson

if TYPE_CHECKING:
    from pydantic import SecretStr

    from docmind.settings import ModelSettings, Settings

app = typer.Typer(name="models", rich_markup_mode=None, add_completion=False)

NO_SHAPE = "does not reply in the shape asked for: what needs one is done without it"
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
        typer.echo(missing or f"{address} offers no model.")
    else:
        typer.echo(
            "No Ollama answers on this machine. `docmind models use openai:NAME` takes a provider's model, "
            "`docmind models --url http://HOST/v1` lists those of a server."
        )


@app.command()
def use(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model, or `none` to do without one.")],
    unchecked: Annotated[bool, typer.Option("--unchecked", help="Do not try it first.")] = False,
) -> None:
    """Have a chat model write and judge from now on; it is tried first.

    Example: docmind models use none
    """
    from docmind.settings import NO_MODEL, OWN_FILE, Settings, given, set_own

    if name == NO_MODEL:
        set_own("MODELS__CHAT", None)
        typer.echo("No chat model is used from now on.")
    else:
        if not unchecked:
            chosen = Settings.load().models
            typer.echo(f"{try_model(chosen, name, chosen.chat_api_key)}.")
        set_own("MODELS__CHAT", name)
        typer.echo(f"{name} writes and judges from now on ({OWN_FILE}).")
    if given().get("DOCMIND_MODELS__CHAT") == "environment":
        typer.echo("DOCMIND_MODELS__CHAT is set in the environment, which goes first: unset it there.", err=True)


def try_model(models: "ModelSettings", name: str, api_key: "SecretStr | None") -> str:
    """What came of one real round trip to the model of that name, as a sentence; one that fails raises."""
    import asyncio

    from docmind.domain.errors import ModelError
    from docmind.models.chat.probing import probe
    from docmind.runtime.roles import open_roles
    from docmind.settings import NO_MODEL

    alone = {"chat": name, "chat_api_key": api_key, "fallback": None, "judge": NO_MODEL}
    model = open_roles(models.model_copy(update=alone)).writer
    if model is None:
        raise ModelError("No chat model is named.")
    seen = asyncio.run(probe(model))
    shape = "replies in the shape asked for" if seen.keeps_shape else NO_SHAPE
    return f"{model.name} answered in {seen.seconds:.1f} s, {seen.tokens_per_s:.0f} tokens a second, {shape}"


def _address(settings: "Settings") -> str | None:
    named = settings.models.chat or ""
    return named if named.startswith(("http://", "https://")) else None


def _used(settings: "Settings") -> dict[str, str]:
    chosen = settings.models
    if chosen.chat is None:
        return {"chat": "none: the documents' own sentences answer"}
    return {
        "chat": chosen.chat,
        "fallback": chosen.fallback or "the documents' own sentences",
        "judge": chosen.judge or "the same model, beside the local checks",
    }
