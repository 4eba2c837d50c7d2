"""`docmind graph`: a workflow drawn, and the most that a run of it can take."""

from dataclasses import asdict
from typing import Annotated

import typer

from docmind.cli.options import AsJson


def graph(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="docs, strategy, finance, chat or chat-simple.")],
    bounds: Annotated[
        bool,
        typer.Option(
            "--bounds", help="Print the most that a run takes with these settings: steps, model calls, tokens, cost."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a workflow as a Mermaid diagram, or print its bounds.

    \b
    Example:
      docmind graph finance --bounds
    """
    from docmind.cli import spending
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        allowed = engine.settings.budget
        if not bounds:
            drawing = engine.drawing(workflow)
            print_json({"mermaid": drawing}) if as_json else typer.echo(drawing, nl=False)
            return
        most = engine.bounds(workflow)
    if as_json:
        print_json({**asdict(most), "allowed": allowed.model_dump()})
        return
    calls = "no limit" if allowed.calls is None else f"{allowed.calls} allowed"
    typer.echo(f"A run of {workflow} takes at most, with these settings:")
    typer.echo(f"  {most.steps:>4} steps")
    typer.echo(f"  {most.model_calls:>4} model calls, retries included ({calls})")
    if told := spending.most_of(most):
        typer.echo(told)
    for name, unit in (("tokens", "tokens"), ("seconds", "seconds of waiting for models"), ("cost", "in cost")):
        if (limit := getattr(allowed, name)) is not None:
            typer.echo(f"  {limit:>4g} {unit}, as the budget allows")
