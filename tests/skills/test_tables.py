"""Tables read back from passages, and what programs over them give."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.judge import is_invented
from docmind.skills.tables.bands import read_band
from docmind.skills.tables.conditions import Comparison
from docmind.skills.tables.programs import Operation, Program, candidates
from docmind.skills.tables.results import result, result_sentence, write_answer
from docmind.skills.tables.table import Table, read_tables

FindHits = Callable[..., list[Hit]]

SUPPLIERS = """\
Nordmetall | Town: Kiel | Lead time: 6 weeks | Price (EUR): 1,250
Alpina | Town: Graz | Lead time: 10 days | Price (EUR): 1,400
Brisk | Town: Leeds | Lead time: 2 months | Price (EUR): 980
Castello | Town: Leeds | Lead time: 21 days | Price (EUR): 1,120"""
BUDGET = """\
Marketing, print | Amount (€): 1,200
Marketing, online | Amount (€): 3,400
Rent | Amount (€): 5,000
Total | Amount (€): 9,600"""
RISKS = """\
Fire in the hall | Likelihood: low | Impact: high
Supplier fails | Likelihood: high | Impact: high
Typing errors | Likelihood: medium | Impact: low"""
PLANS = """\
Fee per month | Basic: €20 | Plus: €45
Guests | Basic: 1 | Plus: 4"""

COSTS = """\
Coach | Planned: 2,400 | Spent: 2,650
Hostel | Planned: 3,100 | Spent: 2,980
Insurance | Planned: 260 | Spent: 260"""
LINES = """\
1 | From: Docks | Length (km): 11.2
4 | From: Docks | Length (km): 7.8
9 | From: Station | Length (km): 6.1"""


def table_of(find_hits: FindHits, text: str) -> Table:
    return read_tables(find_hits(text))[0]


def programs(question: str, table: Table, operation: Operation, column: str = "") -> list[Program]:
    return [
        one
        for one in candidates(question, table)
        if one.operation is operation and (one.column.name if one.column else "") == column
    ]


def test_columns_of_amounts_durations_and_words_are_told_apart(find_hits: FindHits) -> None:
    table = table_of(find_hits, SUPPLIERS)
    assert [(column.name, column.unit, column.adds_up) for column in table.columns] == [
        ("", "", False),
        ("Town", "", False),
        ("Lead time", "duration", False),
        ("Price (EUR)", "", True),
    ]


def test_durations_are_compared_whatever_unit_they_are_written_in(find_hits: FindHits) -> None:
    table = table_of(find_hits, SUPPLIERS)
    (longest,) = (one for one in programs("x", table, Operation.MAX, "Lead time") if one.condition is None)
    (shortest,) = (one for one in programs("x", table, Operation.MIN, "Lead time") if one.condition is None)
    assert (result(longest), result(shortest)) == ("Brisk", "Alpina")


def test_words_of_a_scale_are_ranked(find_hits: FindHits) -> None:
    table = table_of(find_hits, RISKS)
    (top,) = (one for one in programs("x", table, Operation.MAX, "Likelihood") if one.condition is None)
    assert result(top) == "Supplier fails"


def test_a_total_is_not_added_to_what_it_adds_up(find_hits: FindHits) -> None:
    table = table_of(find_hits, BUDGET)
    assert table.totals == {3}
    (whole,) = (one for one in programs("x", table, Operation.SUM, "Amount (€)") if one.condition is None)
    assert result(whole) == "9,600"


def test_the_rows_that_share_a_word_with_the_question_are_added_up(find_hits: FindHits) -> None:
    table = table_of(find_hits, BUDGET)
    sums = programs("What is the total of the marketing lines?", table, Operation.SUM, "Amount (€)")
    assert "4,600" in map(result, sums)


def test_a_number_of_the_question_chooses_rows(find_hits: FindHits) -> None:
    table = table_of(find_hits, SUPPLIERS)
    counted = programs("How many cost more than 1,000?", table, Operation.COUNT)
    above = [one for one in counted if one.condition and one.condition.test is Comparison.ABOVE]
    assert [result(one) for one in above] == ["3"]


def test_columns_are_compared_where_each_is_a_thing(find_hits: FindHits) -> None:
    _, turned = read_tables(find_hits(PLANS))
    (difference,) = programs("How much more is Plus than Basic?", turned, Operation.DIFFERENCE, "Fee per month")
    assert result(difference) == "€25"
    assert "- Fee per month — Basic: €20; Plus: €45. [1]" in write_answer(difference)


@pytest.mark.parametrize(("test", "names"), [(Comparison.MORE, "Coach"), (Comparison.LESS, "Hostel")])
def test_rows_are_chosen_by_comparing_two_columns(find_hits: FindHits, test: Comparison, names: str) -> None:
    listed = programs("x", table_of(find_hits, COSTS), Operation.LIST)
    assert [result(one) for one in listed if one.condition and one.condition.test is test] == [names]


def test_columns_of_different_size_are_not_compared(find_hits: FindHits) -> None:
    table = table_of(find_hits, "A | Year: 1988 | Cars: 24\nB | Year: 1999 | Cars: 60\nC | Year: 2012 | Cars: 90")
    tests = {one.condition.test for one in candidates("x", table) if one.condition}
    assert not tests & {Comparison.MORE, Comparison.LESS}


def test_two_columns_of_a_named_row_are_subtracted(find_hits: FindHits) -> None:
    (change,) = (
        one
        for one in programs(
            "By how much was the hostel cheaper?", table_of(find_hits, COSTS), Operation.DIFFERENCE, "Spent"
        )
        if one.against
    )
    assert result(change) == "120"
    assert "3,100 − 2,980 = 120" in write_answer(change)
    assert "- Hostel — Planned: 3,100; Spent: 2,980. [1]" in write_answer(change)


@pytest.mark.parametrize(
    ("operation", "name", "sentence"),
    [
        (Operation.RISE, "Coach", "Of all, Coach went up the most from Planned to Spent."),
        (Operation.FALL, "Hostel", "Of all, Hostel went down the most from Planned to Spent."),
    ],
)
def test_the_row_that_went_furthest_from_one_column_to_another_is_found(
    find_hits: FindHits, operation: Operation, name: str, sentence: str
) -> None:
    (furthest,) = programs("x", table_of(find_hits, COSTS), operation, "Spent")
    assert result(furthest) == name
    assert result_sentence(furthest).endswith(f"\n\n{sentence}")
    assert f"- {name} — Planned:" in write_answer(furthest)


def test_two_columns_of_a_row_that_are_of_different_kinds_are_not_added_up(find_hits: FindHits) -> None:
    stock = """\
Oil filter OF-9 | Quantity: 75 | Reorder level: 100
Air filter AF-3 | Quantity: 40 | Reorder level: 30
Spark plug SP-1 | Quantity: 220 | Reorder level: 150"""
    halves = stock.replace("Quantity", "First half").replace("Reorder level", "Second half")

    def sums(rows: str) -> set[Decimal | None]:
        tables = read_tables(find_hits(rows))
        found = [one for table in tables for one in candidates("How many Oil filter OF-9 are in stock?", table)]
        return {one.value for one in found if one.operation is Operation.SUM and one.table.turned}

    assert 175 not in sums(stock)
    assert 175 in sums(halves)


def test_where_nothing_went_down_no_row_went_down_furthest(find_hits: FindHits) -> None:
    table = table_of(find_hits, "A | May: 2 | June: 3\nB | May: 4 | June: 9\nC | May: 5 | June: 5")
    assert not programs("x", table, Operation.FALL, "June")
    assert [result(one) for one in programs("x", table, Operation.RISE, "June")] == ["B"]


def test_rows_that_are_numbered_go_by_their_number_where_no_name_tells_them_apart(find_hits: FindHits) -> None:
    (shortest,) = (
        one for one in programs("x", table_of(find_hits, LINES), Operation.MIN, "Length (km)") if not one.condition
    )
    assert result(shortest) == "9"


@pytest.mark.parametrize(
    ("operation", "column", "sentence"),
    [
        (Operation.MAX, "Lead time", "Brisk has the longest Lead time."),
        (Operation.MIN, "Price (EUR)", "Brisk has the lowest Price (EUR)."),
        (Operation.SUM, "Price (EUR)", "Altogether the Price (EUR) is 4,750."),
        (Operation.COUNT, "", "There are 4."),
    ],
)
def test_what_a_program_comes_to_is_stated(
    find_hits: FindHits, operation: Operation, column: str, sentence: str
) -> None:
    (whole,) = (one for one in programs("x", table_of(find_hits, SUPPLIERS), operation, column) if not one.condition)
    assert result_sentence(whole).endswith(f"\n\n{sentence}")


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


@pytest.mark.parametrize(
    ("text", "question", "operation", "column"),
    [
        (BUDGET, "What is the total of the marketing lines?", Operation.SUM, "Amount (€)"),
        (SUPPLIERS, "How many are in Leeds?", Operation.COUNT, ""),
        (SUPPLIERS, "Which are in Leeds?", Operation.LIST, ""),
        (SUPPLIERS, "What is the average price?", Operation.MEAN, "Price (EUR)"),
        (SUPPLIERS, "How much more is Alpina than Brisk?", Operation.DIFFERENCE, "Price (EUR)"),
        (COSTS, "By how much was the hostel cheaper?", Operation.DIFFERENCE, "Spent"),
        (COSTS, "What cost less than planned?", Operation.LIST, ""),
    ],
)
def test_every_answer_worked_out_passes_the_audit(
    find_hits: FindHits, grounder: Grounder, text: str, question: str, operation: Operation, column: str
) -> None:
    hits = find_hits(text)
    for program in programs(question, read_tables(hits)[0], operation, column):
        told = audit(write_answer(program), [hit.passage for hit in hits], grounder).claims
        assert told
        assert not [one.claim.text for one in told if is_invented(one)]


@pytest.mark.parametrize(
    "claim",
    [
        "The 2 amounts add up to 4,700: 1,200 + 3,400 = 4,700 [1].",
        "The 3 amounts add up to 4,600: 1,200 + 3,400 = 4,600 [1].",
        "The 2 amounts add up to 4,900: 1,200 + 3,700 = 4,900 [1].",
        "The difference is 2,300: 3,400 − 1,200 = 2,300 [1].",
        "The 3 rows are: Rent; Marketing, print [1].",
        "The 1 row is: Travel [1].",
    ],
)
def test_what_is_worked_out_wrongly_is_found_out(find_hits: FindHits, grounder: Grounder, claim: str) -> None:
    (found,) = audit(claim, [hit.passage for hit in find_hits(BUDGET)], grounder).claims
    assert is_invented(found)


PARCELS = """\
up to 2 kg | Inland (€): 4.90 | Abroad (€): 11.00
2–5 kg | Inland (€): 6.50 | Abroad (€): 15.50
over 5 kg | Inland (€): 9.00 | Abroad (€): 24.00"""
TICKETS = """\
Adult | Age: 16 to 64 | Day: £9 | Evening: £6
Child | Age: under 16 | Day: £4 | Evening: £3
Senior | Age: 65+ | Day: £6 | Evening: £4"""
LIMITS = """\
Team lead | Up to (EUR): 1,000
Head of department | Up to (EUR): 5,000
Board | Up to (EUR): 50,000"""
SEASONS = """\
Low | Nights: November to March | Price: €40
Middle | Nights: 1 April – 14 June | Price: €55
High | Nights: 15 June – 31 October | Price: €80"""
BANDS_OF_PAY = """\
A | From: 0 | To: 12,000 | Rate: 0%
B | From: 12,001 | To: 40,000 | Rate: 20%
C | From: 40,001 | To: 90,000 | Rate: 40%"""


@pytest.mark.parametrize(
    ("table", "question", "column", "told"),
    [
        (PARCELS, "I've a parcel of 3.4 kg for Spain, what is it?", "Abroad (€)", "15.50"),
        (PARCELS, "And a letter of 800 grams?", "Inland (€)", "4.90"),
        (TICKETS, "My daughter is 15, what does she pay?", "Day", "£4"),
        (TICKETS, "Grandpa is 71", "Day", "£6"),
        (LIMITS, "Who approves a trip that costs EUR 3,000?", "", "Head of department"),
        (SEASONS, "What is a hut on 2 July?", "Price", "€80"),
        (SEASONS, "And on 3 January?", "Price", "€40"),
        (BANDS_OF_PAY, "I earn 31,400, what do I pay?", "Rate", "20%"),
    ],
)
def test_a_number_of_the_question_chooses_the_row_in_whose_range_it_falls(
    find_hits: FindHits, table: str, question: str, column: str, told: str
) -> None:
    cells = programs(question, table_of(find_hits, table), Operation.CELL, column)
    assert told in [result(one) for one in cells if one.condition and one.condition.test is Comparison.WITHIN]


def test_a_number_beyond_all_ranges_chooses_no_row(find_hits: FindHits) -> None:
    assert not programs("Who approves EUR 80,000?", table_of(find_hits, LIMITS), Operation.CELL)


@pytest.mark.parametrize(
    "cell", ["Red", "12", "12 May 2026", "3 of 5", "$1,000", "8:00–18:00", "from Bath to Wells", "", "–", "9 to 5 to 3"]
)
def test_what_is_no_range_is_read_as_none(cell: str) -> None:
    assert read_band(cell) is None


def test_cells_are_taken_as_often_as_they_are_asked_for_and_added_up(find_hits: FindHits) -> None:
    hits = find_hits(TICKETS)
    question = "What do two adults and three children pay for the day?"
    (together,) = (
        one for one in programs(question, read_tables(hits)[0], Operation.TIMES, "Day") if len(one.rows) == 2
    )
    text = write_answer(together)
    assert text.startswith("**£30**\n\nIt comes to £30: 2 × 9 + 3 × 4 = 30 [1].")
    claims = audit(text, [hit.passage for hit in hits], Grounder(Reader())).claims
    assert claims
    assert not any(map(is_invented, claims))


@pytest.mark.parametrize(
    "said", ["It comes to £31: 2 × 9 + 3 × 4 = 31 [1].", "It comes to £28: 2 × 8 + 3 × 4 = 28 [1]."]
)
def test_what_does_not_compute_or_stands_nowhere_is_told(find_hits: FindHits, said: str) -> None:
    claims = audit(said, [hit.passage for hit in find_hits(TICKETS)], Grounder(Reader())).claims
    assert not any(claim.status is ClaimStatus.SUPPORTED for claim in claims)
