"""`docmind facilities`: bring a facility table in, and find the nearest facility that fits."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from docmind.cli.app import App
from docmind.cli.errors import FAILED
from docmind.cli.options import DEFAULT_WORKSPACE, AsJson, User, Workspace
from docmind.cli.wrapping import say

if TYPE_CHECKING:
    from docmind.corpus.facilities import FacilityAnswer, Opening
    from docmind.corpus.facilities.table_import import ImportReport

app = App("facilities")

_DAYS = "monday to sunday, weekday, weekend, today, tomorrow, now"


@app.callback(invoke_without_command=True)
def facilities(context: typer.Context) -> None:
    """Import a table of facilities, and find the nearest ones that fit."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("import")
def import_table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table as CSV, TSV, XLSX or GeoJSON.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    as_json: AsJson = False,
) -> None:
    """Replace the facilities of a workspace with those of a table.

    Its columns are name, kind, latitude and longitude, and any of id, services, address, city, region, postcode,
    country, phone, opening_hours and timezone. If anything is wrong, each mistake is named with its row and nothing
    is imported.
    """
    from docmind.cli.terminal import out, print_json, printable
    from docmind.corpus.load.limits import Limits
    from docmind.domain.errors import FileRejected
    from docmind.domain.scope import Scope
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        limits = Limits(max_bytes=engine.settings.ingest.max_file_mb << 20)
        try:
            report = engine.facilities.import_table(file, Scope(workspace, user), limits)
        except FileRejected as error:
            raise FileRejected(f"{file.name} {error}") from error
    if as_json:
        print_json(asdict(report))
    else:
        for problem in report.problems:
            out().print(printable(problem), style="red", soft_wrap=True)
        out().print(printable(summary(report, file.name, workspace)), soft_wrap=True)
    if report.problems:
        raise typer.Exit(FAILED)


@app.command()
def search(
    request: Annotated[list[str] | None, typer.Argument(metavar="Q", help="What to look for, in plain words.")] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    user: User = None,
    kind: Annotated[str | None, typer.Option("--kind", metavar="KIND", help="A kind of facility: clinic.")] = None,
    services: Annotated[
        list[str] | None, typer.Option("--service", metavar="SERVICE", help="A service it must offer. Repeat for more.")
    ] = None,
    near: Annotated[
        str | None, typer.Option("--near", metavar="PLACE", help="A place name, a postcode of the table, or LAT,LON.")
    ] = None,
    opening: Annotated[
        str | None, typer.Option("--open", metavar="WHEN", help=f"{_DAYS}; a time may follow: 'sunday 10:30'.")
    ] = None,
    radius_km: Annotated[
        float | None,
        typer.Option("--radius", metavar="KM", min=0.001, max=20_100, help="How far it may be; 50 unless set."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, max=1000, help="The most to show.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Find the nearest facilities that fit.

    Ask in plain words, `docmind facilities search clinics open on Sunday near Springfield with vaccination`, or by
    options, which take precedence over the words. If several places have the name, they are listed.
    """
    from datetime import UTC, datetime

    from docmind.cli.terminal import print_json
    from docmind.domain.scope import Scope
    from docmind.runtime.engine import DocMind
    from docmind.skills.places import by_words

    scope = Scope(workspace, user)
    with DocMind() as engine:
        # The shell hands over bytes; what is not text in them cannot be looked for.
        words = " ".join(request or ()).encode("utf-8", "replace").decode()
        query = by_words(words, engine.facilities.directory(scope))
        given: dict[str, Any] = {
            "kind": kind,
            "services": tuple(services or ()) or None,
            "place": near,
            "opening": opening and _opening(opening),
            "radius_km": radius_km,
        }
        query = replace(query, limit=limit, **{name: value for name, value in given.items() if value is not None})
        answer = engine.facilities.find(query, scope, datetime.now(UTC))
        empty = not len(engine.facilities.directory(scope))
    if as_json:
        print_json(answer.model_dump())
    else:
        _show(answer)
        if empty:
            say(f"Import some with `docmind facilities import FILE --workspace {workspace}`.", err=True)


def summary(report: "ImportReport", name: str, workspace: str) -> str:
    """The whole import in a line."""
    unused = f" Columns not used: {', '.join(report.unused_columns)}." if report.unused_columns else ""
    if report.problems:
        count = "1 problem" if len(report.problems) == 1 else f"{len(report.problems):,} problems"
        return f"Nothing was imported: {name} has {count}.{unused}"
    facilities = "1 facility" if report.imported == 1 else f"{report.imported:,} facilities"
    return f"{facilities} imported into workspace {workspace!r}.{unused}"


def _show(answer: "FacilityAnswer") -> None:
    from docmind.cli.terminal import printable

    say(printable(answer.text))
    if answer.clarification is not None:
        for option in answer.clarification.options:
            typer.echo(printable(f"  {option}"))
        say("Name it in full, with its region or country.", err=True)


def _opening(wanted: str) -> "Opening":
    from docmind.corpus.facilities import Opening
    from docmind.domain.errors import InvalidQuery

    try:
        return Opening.parse(wanted)
    except InvalidQuery as error:
        raise typer.BadParameter(str(error), param_hint="--open") from error
