"""Numbers that name or point at something are not read as quantities."""

import pytest

from docmind.quality.quantities import read, read_quantities


@pytest.mark.parametrize(
    "text",
    [
        "as shown [3]",
        "as shown [1, 2]",
        "as shown [Doc 4]",
        "as shown [^1]",
        "see section 3.2.1",
        "3.2.1",
        "VT-165",
        "IC-2026-07",
        "COVID-19",
        "the H100 and 5G",
        "CO2",
        "Form 10-Q",
        "Rule 10b5-1",
        "Note 5",
        "Notes 3 and 5",
        "Items 1, 2 and 3",
        "page 12",
        "pp. 5-7",
        "(See Annual report, page 12)",
        "Exhibit 31.1",
        "ISO 9001 and IFRS 16",
        "No. 7",
        "at 10:30",
        "24/7",
        "+31 38 123 4567",
        "(408) 996-1010",
        "1-800-555-1234",
        "file number 000-23985",
        "https://example.com/2023/12?x=5",
        "the 1990s",
        "(1) first this",
        "#42",
    ],
)
def test_a_label_is_no_quantity(text: str) -> None:
    assert [found for found in read(text) if getattr(found, "unit", "") != "ordinal"] == []


def test_list_markers_and_section_numbers_begin_a_line() -> None:
    assert read_quantities("1. Raise prices\n2) Cut costs\n3.2 Methods\n") == []
    assert [q.value for q in read_quantities("We saw 3.2 million\nand 1. then") if q.scaled] == [3_200_000]


def test_what_stands_beside_a_label_is_still_read() -> None:
    text = "Revenue was EUR 5 million [3] (Note 7), up 4% on page 9."
    assert [q.text for q in read_quantities(text)] == ["EUR 5 million", "4%"]


def test_a_prefix_keeps_a_year_a_year() -> None:
    assert [found.text for found in read("since mid-2022")] == ["2022"]
