"""Names of the columns of unruled PDF tables: dates that are said once, names beside their figures, footnote marks."""

import io
from collections.abc import Sequence

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from docmind.corpus.load import load
from docmind.domain.documents import BlockKind

Placed = tuple[float, str]
"""Where a text ends on its line, and the text; labels begin at the left."""
LEFT = 40
SIZE = 9


def rows_of(*lines: tuple[str, Sequence[Placed]], marks: Sequence[tuple[int, float, str]] = ()) -> list[str]:
    """The rows that are read from lines of a label and right-aligned texts; marks are small and set too high."""
    buffer = io.BytesIO()
    page = Canvas(buffer, pagesize=A4)
    page.setFont("Helvetica", SIZE)
    for place, (label, texts) in enumerate(lines):
        page.drawString(LEFT, 780 - 12 * place, label)
        for right, text in texts:
            page.drawRightString(right, 780 - 12 * place, text)
    page.setFont("Helvetica", 0.6 * SIZE)
    for place, x, text in marks:
        page.drawString(x, 780 - 12 * place + 0.5 * SIZE, text)
    page.save()
    loaded = load(buffer.getvalue(), "a.pdf")
    return [block.span.of(loaded.text) for block in loaded.blocks if block.kind is BlockKind.ROW]


def figures(label: str, *texts: str, at: Sequence[float] = (400, 470, 540)) -> tuple[str, list[Placed]]:
    return label, list(zip(at, texts, strict=False))


BODY = (
    figures("Sales of restaurants", "$8,748.4", "$9,787.4", "$8,139.2"),
    figures("Franchise fees", "14,105.8", "13,085.4", "10,726.1"),
)


def test_a_day_that_is_said_before_the_first_year_holds_for_every_year() -> None:
    header = figures("In millions, except per share data", "Years ended December 31, 2022", "2021", "2020")
    assert rows_of(header, *BODY)[0] == (
        "Sales of restaurants | Years ended December 31, 2022: $8,748.4 | Years ended December 31, 2021: $9,787.4"
        " | Years ended December 31, 2020: $8,139.2"
    )


@pytest.mark.parametrize(
    ("corner", "named"),
    [
        ("Restaurants open on December 31,", "Restaurants open on December 31, 2022"),
        ("Twelve months ended", "Twelve months ended 2022"),
        ("In millions of euros and unaudited", "2022"),
    ],
)
def test_years_beside_a_corner_that_dates_or_measures_them_name_the_columns(corner: str, named: str) -> None:
    assert rows_of(figures(corner, "2022", "2021", "2020"), *BODY)[0].split(" | ")[1] == f"{named}: $8,748.4"


def test_years_beside_the_name_of_another_column_are_names_too() -> None:
    at = (330, 470, 540)
    rows = rows_of(
        figures("Lease-related assets and liabilities", "Line items", "2022", "2021", at=at),
        figures("Operating leases", "Other assets", "$10,417", "$10,087", at=at),
        figures("Finance leases", "Equipment", "952", "861", at=at),
    )
    assert rows[0] == "Operating leases | Line items: Other assets | 2022: $10,417 | 2021: $10,087"


def test_a_row_of_years_within_a_table_stays_a_row() -> None:
    rows = rows_of(
        figures("(in percent)", "2022", "2021"),
        figures("Health care cost trend rate", "6.5", "6.2"),
        figures("Year in which the trend becomes stable", "2030", "2029"),
    )
    assert rows[-1] == "Year in which the trend becomes stable | 2022: 2030 | 2021: 2029"


def test_names_that_stand_left_of_their_figures_name_them() -> None:
    fleet = [figures("Wide body", "50", "3", "53"), figures("Narrow body", "41", "5", "46")]
    rows = rows_of(figures("Description", "Owned", "Leased", "Total", at=(375, 445, 515)), *fleet)
    assert rows == ["Wide body | Owned: 50 | Leased: 3 | Total: 53", "Narrow body | Owned: 41 | Leased: 5 | Total: 46"]


def test_a_footnote_mark_set_high_belongs_to_the_text_before_it() -> None:
    lines = [
        figures("(in millions)", "2022", "2021"),
        figures("Goodwill", "10", "20"),
        figures("Other", "30", "40"),
        figures("Total", "40", "60"),
    ]
    assert rows_of(*lines, marks=[(2, LEFT + 26, "(1)")])[1] == "Other (1) | 2022: 30 | 2021: 40"
