"""`docmind runs rate` and `docmind runs feedback`: which answers are right, and how well their confidence told."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, RunReference, User, Workspace
from docmind.domain.confidence import percent
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.memory.run import Run
    from docmind.quality.reliability import Band

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
        print_json(_row(run))
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
        print_json([_band(one) for one in bands] if by_confidence else [_row(run) for run in runs])
    elif not runs:
        typer.echo(
            f"No answer in workspace {workspace!r} has been rated yet. Rate one with `docmind runs rate`.", err=True
        )
    elif by_confidence:
        _show_bands(bands)
    else:
        _show(runs)


def _row(run: "Run") -> dict[str, Any]:
    from docmind.cli.run_view import run_row

    given, result = run.feedback, run.result
    return {
        **run_row(run),
        "right": given.right if given else None,
        "comment": given.comment if given else None,
        "confidence": result.confidence if result and result.confidence_in_words else None,
    }


def _band(band: "Band") -> dict[str, Any]:
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


def _show(runs: "list[Run]") -> None:
    from rich.table import Table

    from docmind.cli.terminal import out, printable

    lines = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("run", "feedback", "confidence", "question", "comment"):
        lines.add_column(name, justify="right" if name == "confidence" else "left")
    for run in runs:
        row = _row(run)
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
