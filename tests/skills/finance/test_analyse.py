"""Questions answered from a small report, to the digit."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from docmind.domain.documents import Passage
from docmind.quality.latex import validate_formula
from docmind.quality.quantities import Computed
from docmind.skills.finance import Analysis, Evidence, analyse, analyse_with, read_question

Tabled = Callable[..., list[Passage]]


def computed(analysis: Analysis) -> Computed:
    (result,) = analysis.results
    assert isinstance(result, Computed)
    return result


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        ("What was the percentage change in net sales from 2022 to 2023?", "(12,500 − 10,000) / 10,000 = 25.00%"),
        ("By what percentage did turnover grow in 2023?", "(12,500 − 10,000) / 10,000 = 25.00%"),
        ("What was the change in gross profit between 2022 and 2023?", "5,000 − 3,800 = EUR 1,200 thousand"),
        ("What is the average net sales for 2022 and 2023?", "(10,000 + 12,500) / 2 = EUR 11,250 thousand"),
        ("What is the average gross profit from 2021 to 2023?", "(5,000 + 3,800 + 3,000) / 3 = EUR 3,933.33 thousand"),
        ("What is the sum of net sales in 2022 and 2023?", "10,000 + 12,500 = EUR 22,500 thousand"),
        ("What was gross profit as a percentage of net sales in 2023?", "5,000 / 12,500 = 40.00%"),
        ("What is the ratio of gross profit to net sales in 2022?", "3,800 / 10,000 = 0.38 times"),
        ("What was the net margin in 2023?", "1,250 / 12,500 = 10.00%"),
        ("What was the compound annual growth of net sales from 2021 to 2023?", "(12,500 / 8,000)^(1/2) − 1 = 25.00%"),
        ("What was the change in other income from 2022 to 2023?", "250 − 0 = EUR 250 thousand"),
        ("What was the increase in cost of sales in 2023?", "7,500 − 6,200 = EUR 1,300 thousand"),
        ("What is the difference between gross profit and other income in 2023?", "5,000 − 250 = EUR 4,750 thousand"),
    ],
)
def test_a_calculation_is_made_with_the_numbers_of_the_table(
    report: list[Passage], question: str, formula: str
) -> None:
    result = computed(analyse(question, report))
    assert result.formula == formula
    assert validate_formula(result.latex) == []
    assert all(figure.source == "report-1" for figure in result.sources)


def test_a_figure_is_looked_up_by_any_name_of_its_metric(report: list[Passage]) -> None:
    for name in ("net sales", "revenue", "turnover"):
        (figure,) = analyse(f"What was the {name} in 2022?", report).results
        assert (figure.quantity.value, figure.quantity.text) == (Decimal(10_000_000), "€10,000"), name


def test_several_periods_are_answered_in_the_order_asked(report: list[Passage]) -> None:
    results = analyse("What was net sales in 2021 and 2023 respectively?", report).results
    assert [figure.quantity.text for figure in results] == ["€8,000", "€12,500"]


def test_the_year_of_the_greatest_and_of_the_least_is_quoted_from_the_column(report: list[Passage]) -> None:
    most = analyse("In which year was gross profit the largest?", report)
    least = analyse("In which year was gross profit the lowest?", report)
    assert ([quote.text for quote in most.quotes], [quote.text for quote in least.quotes]) == (["2023"], ["2021"])
    (quote,) = most.quotes
    (passage,) = [one for one in report if one.id == quote.source]
    start = quote.span.start - passage.span.start
    assert passage.text[start : start + 4] == "2023"


def test_years_past_a_limit_are_named_and_counted(report: list[Passage]) -> None:
    named = analyse("Which years did net sales exceed €9,000 thousand?", report)
    assert [quote.text for quote in named.quotes] == ["2023", "2022"]
    assert analyse("How many years did net sales exceed €9,000 thousand?", report).count == 2
    assert analyse("How many years were net sales below 9,000?", report).count == 1


def test_things_are_ranked_within_their_column(tabled: Tabled) -> None:
    rows = [["Ale", "70", "60"], ["Stout", "20", "30"], ["Cider", "10", "5"], ["Total", "100", "95"]]
    passages = tabled(["", "2023", "2022"], *rows, lead="Sales by product were as follows:")
    assert [quote.text for quote in analyse("Which product had the highest sales in 2022?", passages).quotes] == ["Ale"]
    assert [quote.text for quote in analyse("Which product had the lowest sales in 2023?", passages).quotes] == [
        "Cider"
    ]


def test_the_parts_of_a_total_are_its_rows(tabled: Tabled) -> None:
    rows = [["Cash", "10"], ["Stocks", "5"], ["Total current assets", "15"], ["Goodwill", "3"]]
    parts = analyse("What are the components of total current assets?", tabled(["", "2023"], *rows))
    assert [quote.text for quote in parts.quotes] == ["Cash", "Stocks"]
    assert parts.count == 2


def test_figures_of_a_sentence_that_says_respectively_go_to_their_years(report: list[Passage]) -> None:
    (figure,) = analyse("How much were total wages in 2022?", report).results
    assert (figure.quantity.text, figure.quantity.value) == ("€2.1 million", Decimal(2_100_000))


def test_a_why_and_a_when_are_answered_in_the_words_of_the_text(report: list[Passage]) -> None:
    (why,) = analyse("Why did cost of sales rise?", report).quotes
    (when,) = analyse("When was the second brewery opened?", report).quotes
    assert why.text == "primarily due to higher prices of malt"
    assert when.text == "4 May 2022"
    text = {passage.id: passage for passage in report}[why.source]
    start = why.span.start - text.span.start
    assert text.text[start : start + len(why.text)] == why.text


def test_a_period_that_is_not_there_is_refused(report: list[Passage]) -> None:
    answer = analyse("What was the percentage change in net sales from 2018 to 2019?", report)
    assert not answer.results
    assert answer.refusal == "The figures of Net sales do not cover both periods."


def test_what_the_passages_do_not_hold_is_refused(report: list[Passage]) -> None:
    answer = analyse("What was the chief executive's pension in 2023?", report)
    assert not answer.results
    assert answer.refusal


def test_a_word_that_no_label_has_is_told_as_a_doubt(report: list[Passage]) -> None:
    assert analyse("What was the gross profit in 2023?", report).doubts == ()
    doubts = analyse("What was the average domestic gross profit for 2022 and 2023?", report).doubts
    assert doubts == ("No label says “domestic”; the nearest row is “Gross profit”.",)


def test_two_rows_of_one_name_are_told_apart_by_their_heading_or_doubted(tabled: Tabled) -> None:
    passages = tabled(
        ["", "2023", "2022"],
        ["Current", "", ""], ["Leases", "10", "8"], ["", "10", "8"],
        ["Long-term", "", ""], ["Leases", "90", "70"], ["", "90", "70"],
    )  # fmt: skip
    evidence = Evidence(passages)
    told = analyse_with(read_question("What were the long-term leases in 2023?"), evidence)
    assert [result.quantity.text for result in told.results] == ["90"]
    open_question = analyse_with(read_question("What were the leases in 2023?"), evidence)
    assert open_question.doubts == ("Another row fits as well: “Long-term: Leases”.",)


def test_a_fiscal_year_that_ends_in_january_is_found_by_either_year(tabled: Tabled) -> None:
    passages = tabled(["", "January 3, 2020", "December 28, 2018"], ["Wages", "9", "7"])
    for year in (2019, 2020):
        (figure,) = analyse(f"What were the wages in {year}?", passages).results
        assert figure.quantity.value == 9


def test_periods_in_rows_and_measures_in_columns_read_as_well(tabled: Tabled) -> None:
    passages = tabled(["", "Low price", "High price"], ["2022", "$5", "$8"], ["2023", "$6", "$9"])
    result = computed(analyse("What was the change in the high price from 2022 to 2023?", passages))
    assert result.formula == "9 − 8 = USD 1"


def test_no_passages_answer_nothing() -> None:
    assert analyse("What was the revenue in 2023?", []).refusal
