"""`docmind graph`: a workflow drawn, and the most that a run of it can take."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli import known, spending
from docmind.cli.options import AsJson

if TYPE_CHECKING:
    from docmind.runtime.bounds import Bounds
    from docmind.settings import BudgetSettings


def graph(
    workflow: Annotated[
        str,
        typer.Argument(
            metavar="WORKFLOW",
            help="docs, strategy, finance, chat or chat-simple.",
            autocompletion=known.drawn_workflows,
        ),
    ],
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
    typer.echo(f"A run of {workflow} takes at most, with these settings:")
    typer.echo("\n".join(_listed(most, allowed)))


def _listed(most: "Bounds", allowed: "BudgetSettings") -> Iterator[str]:
    """Each bound on a line; what the budget allows stands beside it."""
    calls = "no limit" if allowed.calls is None else f"{allowed.calls} allowed"
    yield f"{most.steps:>9,} steps"
    yield f"{most.model_calls:>9,} model calls, retries included ({calls})"
    if most.model_calls:
        yield f"{most.input_tokens:>9,} tokens read"
        yield f"{most.output_tokens:>9,} tokens written"
    if most.model_calls and most.cost is not None:
        yield f"{spending.cost(most.cost):>9} in cost"
    for name, unit in (("tokens", "tokens"), ("seconds", "seconds of waiting for models"), ("cost", "in cost")):
        if (limit := getattr(allowed, name)) is not None:
            yield f"{limit:>9,g} {unit}, as the budget allows"
