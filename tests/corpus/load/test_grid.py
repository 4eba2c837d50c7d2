"""A grid of cells becomes rows that can be read alone."""

import pytest

from docmind.corpus.load.grid import count_header_rows, merge_affixes, row_text, split_table


@pytest.mark.parametrize(
    ("rows", "headers"),
    [
        ([["Item", "2026", "2027", "Total"], ["Land", "6.8", "8.8", "15.6"]], 1),
        ([["", "2023", "2022"], ["Revenue", "601,020", "579,520"]], 1),
        ([["Company", "Founded", "Staff"], ["Varmoor", "1987", "640"]], 1),
        ([["", "Three months ended", ""], ["", "2023", "2022"], ["Net sales", "117,154", "123,945"]], 2),
        ([["Varmoor", "1987", "640"], ["Ellandor", "1991", "2,871"]], 0),
    ],
)
def test_the_rows_that_name_the_columns_are_told_from_figures(rows: list[list[str]], headers: int) -> None:
    assert count_header_rows(rows) == headers


def test_a_row_names_its_columns_and_leaves_out_what_is_empty() -> None:
    header = ["Item", "2026", "2027"]
    assert row_text(header, ["Land", "6.8", "8.8"]) == "Land | 2026: 6.8 | 2027: 8.8"
    assert row_text(header, ["Land", "", "8.8"]) == "Land | 2027: 8.8"


def test_a_currency_sign_in_a_cell_of_its_own_goes_to_its_figure() -> None:
    _, rows, _ = split_table([["", "", "2023"], ["Net sales", "$", "117"], ["Loss", "", "(12"]])
    assert rows[0][-1] == "$117"


def test_units_in_the_corner_go_into_the_caption() -> None:
    _, _, caption = split_table([["(in millions)", "2023"], ["Net sales", "117"]], caption="Income")
    assert caption == "Income (in millions)"


def test_a_closing_sign_goes_to_a_figure_and_to_nothing_else() -> None:
    assert merge_affixes(["Loss", "(12", "", ")", "8", "%"]) == ["Loss", "(12)", "", "", "8%", ""]
    assert merge_affixes(["Region", "%"]) == ["Region", "%"]


def test_a_corner_that_states_a_short_unit_or_titles_years_joins_the_caption() -> None:
    assert split_table([["£m", "2019", "2018"], ["Leases", "0.8", "1.2"]])[2] == "£m"
    assert split_table([["Operating revenues", "2019", "2018"], ["Wireless", "9", "8"]])[2] == "Operating revenues"
    assert split_table([["Name", "Colour", "Price"], ["Ale", "amber", "4"]])[2] == ""


@pytest.mark.parametrize("corner", ["Item", "Region", "Line item"])
def test_a_corner_that_only_says_what_the_rows_are_stays_out_of_the_caption(corner: str) -> None:
    rows = [[corner, "2026", "2027"], ["Land", "6.8", "8.8"]]
    assert split_table(rows, caption="Capital budget, in EUR million")[2] == "Capital budget, in EUR million"


def test_years_with_footnotes_still_name_columns() -> None:
    header, body, _ = split_table([["", "2019 (1)", "2018*"], ["Charges", "94.2", "394.0"]])
    assert (header, body) == (["", "2019 (1)", "2018*"], [["Charges", "94.2", "394.0"]])
