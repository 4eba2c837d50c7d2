"""`docmind bench`: measure this installation on public data, beside published numbers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from docmind.cli.errors import FAILED

if TYPE_CHECKING:
    from docmind.bench.report import Row

DEFAULT_DATA = Path("~/.cache/docmind-bench")


def bench(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(metavar="TASK", help="Benchmarks to run; unless named, all but `scale`, which takes an hour."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help=f"The folder of the public data sets; DOCMIND_BENCH_DATA or {DEFAULT_DATA} unless given.",
        ),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the rows there too, for programs.")
    ] = None,
) -> None:
    """Measure this installation on public data, beside published numbers.

    A benchmark that cannot run says why, and the others continue. The exit code is 1 if one that you named could not
    run, or if none could.
    """
    from docmind.bench.report import environment, table_of, write_rows
    from docmind.bench.runner import chosen, run
    from docmind.cli.terminal import err, out
    from docmind.settings import Settings

    wanted = chosen(tasks or [])
    folder = data or Settings.load().bench_data or DEFAULT_DATA
    out().print(environment())
    rows: list[Row] = []
    failures: list[str] = []
    # Written at once and after every task: a path that cannot be written is found out now, and what was measured stays.
    if json_file:
        write_rows(json_file, rows)
    for outcome in run(wanted, folder.expanduser(), err()):
        rows.extend(outcome.rows)
        if json_file:
            write_rows(json_file, rows)
        if outcome.failure:
            failures.append(f"{outcome.task}: {outcome.failure}")
            err().print(failures[-1])
    if rows:
        out().print(table_of(rows))
    if failures and (tasks or not rows):
        raise typer.Exit(FAILED)
