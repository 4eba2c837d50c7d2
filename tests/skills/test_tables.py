"""Tables read back from passages, and what programs over them give."""

from collections.abc import Callable

import pytest

from docmind.domain.search import Hit
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.judge import is_invented
from docmind.skills.tables.conditions import Comparison
from docmind.skills.tables.programs import Operation, Program, candidates
from docmind.skills.tables.results import result
from docmind.skills.tables.stating import state
from docmind.skills.tables.table import Table, read_tables
from docmind.skills.tables.wording import write

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
    assert "- Fee per month — Basic: €20; Plus: €45. [1]" in write(difference)


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
    assert "3,100 − 2,980 = 120" in write(change)
    assert "- Hostel — Planned: 3,100; Spent: 2,980. [1]" in write(change)


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
    assert state(whole).endswith(f"\n\n{sentence}")


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
        told = audit(write(program), [hit.passage for hit in hits], grounder).claims
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
