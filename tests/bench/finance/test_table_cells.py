"""Cells of tables, counted by what was read of them."""

from docmind.bench.finance.table_cells import Cells, read_cells, split_cells

TABLE = [
    ["(In thousands)", "2019", "2018"],
    ["Ale", "$30", "(20)"],
    ["Stout", "1,010", "12"],
    ["Total", "$1,040", "(8)"],
]


def test_every_number_in_its_row_and_column_counts() -> None:
    assert read_cells("beer", TABLE) == Cells(count=6, valued=6, placed=6)


def test_the_plain_way_finds_numbers_and_tells_no_columns() -> None:
    assert split_cells("beer", TABLE) == Cells(count=6, valued=6, placed=0)


def test_a_row_of_years_names_columns_and_holds_no_cells() -> None:
    assert read_cells("years", [["Year", "2019", "2018"], ["Ale", "3", "2"]]).count == 2
