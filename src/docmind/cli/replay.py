"""`docmind replay`: a run again, from its records alone."""

import textwrap

import typer

from docmind.cli.edge import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.runs import Reference
from docmind.domain.scope import Scope

_LONGEST = 300


def replay(
    reference: Reference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Run a run again from its records, with no model and no search, and compare.

    Its result is equal to the byte, or the first step that decides otherwise is shown. The exit code is 1 when it
    differs: the program or its settings have changed since.
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
        out().print(f"Equal to the byte, with no model call and no search: {steps}", soft_wrap=True)
    elif not difference.what:
        out().print(f"It goes another way in {difference.node}: {printable(difference.now)}", soft_wrap=True)
    else:
        out().print(f"It first differs in {difference.node}, {difference.what}:")
        for when, value in (("was", difference.was), ("is now", difference.now)):
            out().print(f"  {when:<7} {textwrap.shorten(printable(value), _LONGEST, placeholder=' …')}", soft_wrap=True)
    if difference is not None:
        raise typer.Exit(FAILED)
