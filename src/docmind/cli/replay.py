"""`docmind replay`: a run again, from its records alone."""

import textwrap

import typer

from docmind.cli.errors import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, RunReference, User, Workspace
from docmind.domain.scope import Scope

_LONGEST = 300


def replay(
    reference: RunReference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Repeat a run from its records, without a model or a search, and compare.

    If the result differs, the first step that differs is shown and the exit code is 1: the program or its settings have
    changed since.
    """
    from dataclasses import asdict

    from docmind.cli.terminal import out, print_json, printable
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        replayed = engine.replay(reference, Scope(workspace, user))
    difference, result = replayed.difference, replayed.result
    if as_json:
        told = result.model_dump(mode="json") if result else None
        print_json({"equal": difference is None, "difference": difference and asdict(difference), "result": told})
    elif difference is None:
        steps = " → ".join(event.node for event in replayed.original.trace)
        out().print(f"Identical, without a model call or a search: {steps}", soft_wrap=True)
    elif not difference.what:
        out().print(f"It decides differently in {difference.node}: {printable(difference.now)}", soft_wrap=True)
    else:
        out().print(f"It first differs in {difference.node}, {difference.what}:")
        for when, value in (("was", difference.was), ("is now", difference.now)):
            out().print(f"  {when:<7} {textwrap.shorten(printable(value), _LONGEST, placeholder=' …')}", soft_wrap=True)
    if difference is not None:
        raise typer.Exit(FAILED)
