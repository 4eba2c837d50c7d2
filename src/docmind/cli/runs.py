"""`docmind runs` and `docmind replay`: what was asked and given, whether it was right, and how to go on with it."""

import textwrap
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.app import App
from docmind.cli.errors import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, AsPage, RunReference, User, Workspace, Yes, ask_first
from docmind.cli.wrapping import say
from docmind.domain.confidence import percent
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.domain.confidence import Band
    from docmind.memory.run import Run


_FEW = 30
"""Answers of a band below which its share says little."""


class Rating(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    NONE = "none"


def rate(
    reference: RunReference,
    rating: Annotated[Rating, typer.Argument(help="Whether the answer is right; `none` removes your rating.")],
    comment: Annotated[
        str, typer.Option("--comment", "-c", metavar="TEXT", help="What is wrong with it, or good.")
    ] = "",
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Say whether an answer is right; it is kept with the run."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        if rating is Rating.NONE:
            run = engine.remove_feedback(reference, scope)
        else:
            run = engine.give_feedback(reference, scope, right=rating is Rating.RIGHT, comment=comment)
    if as_json:
        print_json(_feedback_row(run))
    else:
        typer.echo(f"{run.id[:8]}  {'no feedback' if rating is Rating.NONE else rating.value}")


def list_feedback(
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    by_confidence: Annotated[
        bool, typer.Option("--by-confidence", help="Count right answers by the confidence they were given with.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the answers that were rated right or wrong, latest first."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        runs, bands = engine.feedback(scope), engine.reliability(scope)
    if as_json:
        print_json([_band_row(one) for one in bands] if by_confidence else [_feedback_row(run) for run in runs])
    elif not runs:
        typer.echo(
            f"No answer in workspace {workspace!r} has been rated yet. Rate one with `docmind runs rate`.", err=True
        )
    elif by_confidence:
        _show_bands(bands)
    else:
        _show_feedback(runs)


def _feedback_row(run: "Run") -> dict[str, Any]:
    from docmind.cli.history import run_row

    given, result = run.feedback, run.result
    return {
        **run_row(run),
        "right": given.right if given else None,
        "comment": given.comment if given else None,
        "confidence": result.confidence if result and result.confidence_in_words else None,
    }


def _band_row(band: "Band") -> dict[str, Any]:
    low, high = band.interval
    return {
        "called": band.called,
        "answers": band.answers,
        "right": band.right,
        "share": round(band.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "confidence": round(band.confidence, 4),
    }


def _show_feedback(runs: "list[Run]") -> None:
    from rich.table import Table

    from docmind.cli.terminal import out, printable

    lines = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("run", "feedback", "confidence", "question", "comment"):
        lines.add_column(name, justify="right" if name == "confidence" else "left")
    for run in runs:
        row = _feedback_row(run)
        sure = "" if row["confidence"] is None else percent(row["confidence"])
        called = Rating.RIGHT if row["right"] else Rating.WRONG
        lines.add_row(run.id[:8], called.value, sure, printable(run.question), printable(row["comment"]))
    out().print(lines)


def _show_bands(bands: "list[Band]") -> None:
    from rich.table import Table

    from docmind.cli.terminal import out

    lines = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("said to be", "answers", "right", "share right", "likely between", "confidence"):
        lines.add_column(name, justify="left" if name == "said to be" else "right", no_wrap=True)
    for band in bands:
        low, high = band.interval
        between = f"{percent(low)} and {percent(high)}"
        numbers = (str(band.answers), str(band.right), percent(band.share), between, percent(band.confidence))
        lines.add_row(band.called, *numbers)
    out().print(lines)
    if any(band.answers < _FEW for band in bands):
        typer.echo(f"A line with fewer than {_FEW} answers says little. DocMind does not learn from it.", err=True)


app = App("runs")

Limit = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="The most runs to show.")]


@app.callback(invoke_without_command=True)
def runs(
    context: typer.Context, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """List, show, continue, rate, export and delete runs. Without a command, list them."""
    if context.invoked_subcommand is None:
        list_runs(workspace, user, as_json=as_json)
    # An option given before `show` means the same as after it.
    before = {"workspace": workspace, "user": user, "as_json": as_json}
    context.default_map = dict.fromkeys(("list", "show", "resume", "rate", "feedback", "export", "delete"), before)


app.command()(rate)
app.command("feedback")(list_feedback)


@app.command("list")
def list_runs(
    workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, limit: Limit = 20, as_json: AsJson = False
) -> None:
    """List the latest runs of a workspace, newest first."""
    from docmind.cli.history import run_row, show_runs
    from docmind.cli.terminal import out, print_json
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        found = engine.runs(Scope(workspace, user), limit=limit)
    if as_json:
        print_json([run_row(run) for run in found])
    elif found:
        show_runs(out(), found)
    else:
        say(f"No questions have been asked in workspace {workspace!r} yet. Ask one with `docmind ask Q`.", err=True)


@app.command()
def show(
    reference: RunReference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, as_json: AsJson = False
) -> None:
    """Show what a run was asked, what it gave, and the path it took."""
    from docmind.cli import watching
    from docmind.cli.history import run_row
    from docmind.cli.terminal import out, print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        run = engine.find_run(reference, scope)
        if as_json:
            print_json(run_row(run) | {"result": run.result and run.result.model_dump(mode="json")})
            return
        out().print(printable(run.question), style="bold", soft_wrap=True)
        if run.result is not None:
            watching.show(engine, run.result, scope, with_trace=True)
            return
    why = f" {printable(run.reason)}" if run.reason else ""
    out().print(f"It is {run.state}.{why} `{watching.resume_command(run.id, scope)}` continues it.", soft_wrap=True)


@app.command()
def resume(
    reference: RunReference,
    answer: Annotated[
        list[str] | None, typer.Argument(metavar="ANSWER", help="The answer to what the run asked, if it did.")
    ] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Continue a run that was interrupted or failed from its last finished step, or answer its question."""
    from docmind.cli import watching
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        result = watching.watch(engine.resume_stream(reference, scope, " ".join(answer) if answer else None), scope)
        if as_json:
            print_json(result.model_dump(mode="json"))
        else:
            watching.show(engine, result, scope)


@app.command()
def export(
    reference: RunReference, workspace: Workspace = DEFAULT_WORKSPACE, user: User = None, html: AsPage = False
) -> None:
    """Print a question with its answer, sources and checks: as JSON, or as a page for people."""
    from docmind.cli.terminal import print_json
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        if html:
            typer.echo(engine.share_run(reference, scope), nl=False)
        else:
            print_json(engine.export_run(reference, scope))


@app.command()
def delete(
    reference: RunReference,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete a run and everything that was recorded for it, including passages of documents."""
    from docmind.cli.history import run_row
    from docmind.cli.terminal import print_json, printable
    from docmind.runtime.engine import DocMind

    scope = Scope(workspace, user)
    with DocMind() as engine:
        run = engine.find_run(reference, scope)
        if not yes:
            ask_first(f"Delete the run on “{printable(run.question)[:80]}”?")
        engine.delete_run(run.id, scope)
    if as_json:
        print_json(run_row(run))
    else:
        typer.echo(f"deleted  {run.id[:8]}")


_LONGEST_VALUE = 300


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
            out().print(
                f"  {when:<7} {textwrap.shorten(printable(value), _LONGEST_VALUE, placeholder=' …')}", soft_wrap=True
            )
    if difference is not None:
        raise typer.Exit(FAILED)
