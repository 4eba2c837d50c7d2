"""Finance: whether the cells of financial tables are read as they stand; its parts measure answers and time."""

from collections.abc import Sequence

from docmind.bench.finance.convfinqa_set import grids as convfinqa_grids
from docmind.bench.finance.rendering import Grid
from docmind.bench.finance.table_cells import Cells, read_cells, split_cells
from docmind.bench.finance.tatqa_set import grids as tatqa_grids
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench

AIM = Aim(0.95)


def run(bench: Workbench) -> list[Row]:
    """Over the tables of both sets, each ingested as a page of a report would be."""
    rows = []
    for name, grids in (("tatqa", tatqa_grids(bench)), ("convfinqa", convfinqa_grids(bench))):
        ours, plain = _count(bench, name, grids)
        rows += [
            Row("finance", f"docmind@{name}", "cell_accuracy", ours.valued / ours.count, ours.count, aim=AIM),
            Row("finance", f"docmind@{name}", "cell_and_column_accuracy", ours.placed / ours.count, ours.count),
            Row("finance", f"split-at-bars@{name}", "cell_accuracy", plain.valued / plain.count, plain.count),
        ]
    return rows


def _count(bench: Workbench, name: str, grids: Sequence[Grid]) -> tuple[Cells, Cells]:
    ours, plain = Cells(), Cells()
    with bench.steps(f"finance: cells of {name}", len(grids)) as done:
        for number, grid in enumerate(grids, 1):
            ours, plain = ours + read_cells(name, grid), plain + split_cells(name, grid)
            done(number)
    return ours, plain
