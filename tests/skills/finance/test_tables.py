"""Tables read from passages: labels, sections, periods, units and exact places."""

from collections.abc import Callable
from decimal import Decimal

from docmind.domain.documents import Passage
from docmind.quality.quantities import Figure, Period
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.tables import Row, read_tables

Tabled = Callable[..., list[Passage]]


def rows_of(passages: list[Passage]) -> dict[str, Row]:
    (one,) = read_tables(passages)
    return {row.label: row for row in one.rows}


def test_every_figure_stands_where_it_says(report: list[Passage]) -> None:
    passages = report
    (one,) = read_tables(passages)
    figures = [figure for row in one.rows for figure in row.figures]
    assert len(figures) == 15
    by_id = {passage.id: passage for passage in passages}
    for figure in figures:
        passage = by_id[figure.source]
        start = figure.span.start - passage.span.start
        assert passage.text[start : start + len(figure.quantity.text)] == figure.quantity.text


def test_scale_and_currency_come_from_the_sentence_before_and_the_first_row(report: list[Passage]) -> None:
    (one,) = read_tables(report)
    sales = one.rows[0].figures[0]
    assert (sales.quantity.value, sales.quantity.currency, sales.scale) == (Decimal(12_500_000), "EUR", Decimal(1000))
    cost = one.rows[1].figures[0]
    assert (cost.quantity.value, cost.quantity.currency) == (Decimal(-7_500_000), "EUR")


def test_a_dash_is_nothing_and_is_quoted_as_a_dash(report: list[Passage]) -> None:
    (one,) = read_tables(report)
    nil = one.rows[3].figures[1]
    assert (nil.quantity.value, nil.quantity.text) == (Decimal(0), "—")


def test_a_year_beside_a_currency_names_the_period_and_the_scale(tabled: Tabled) -> None:
    rows = rows_of(tabled(["", "2019 €m", "2018 €m"], ["Wages", "166", "178"]))
    assert [figure.period.year for figure in rows["Wages"].figures if figure.period] == [2019, 2018]
    assert rows["Wages"].figures[0].quantity.value == Decimal(166_000_000)


def test_rows_stand_under_their_heading_up_to_the_total(tabled: Tabled) -> None:
    passages = tabled(
        ["", "2019", "2018"],
        ["Current assets:", "", ""],
        ["Cash", "10", "8"],
        ["Stocks", "5", "4"],
        ["", "15", "12"],
        ["Goodwill", "7", "7"],
        ["Total assets", "22", "19"],
    )
    rows = rows_of(passages)
    assert (rows["Cash"].section, rows["Goodwill"].section) == ("Current assets", "")
    assert rows[""].closes
    assert rows[""].figures[0].label == "Total Current assets"
    assert rows["Total assets"].closes


def test_a_heading_that_tells_when_dates_the_rows_below_it(tabled: Tabled) -> None:
    passages = tabled(
        ["", "Cost", "Fair value"],
        ["December 31, 2019", "", ""],
        ["Bonds", "10", "11"],
        ["December 31, 2018", "", ""],
        ["Bonds", "20", "22"],
    )
    (one,) = read_tables(passages)
    years = [figure.period.year for row in one.rows for figure in row.figures if figure.period]
    assert years == [2019, 2019, 2018, 2018]


def test_a_table_cut_into_several_passages_is_one_table_again(tabled: Tabled) -> None:
    wide = [[f"Product of the long name number {n} in the catalogue", f"{n}", f"{2 * n}"] for n in range(60)]
    passages = tabled(["", "2019", "2018"], *wide)
    assert sum(passage.kind == "table" for passage in passages) > 1
    (one,) = read_tables(passages)
    assert len(one.rows) == 60


def test_percent_columns_and_terms_in_years_keep_their_units(tabled: Tabled) -> None:
    terms = ["Expected term (years)", "3.9", "3.4"]
    rows = rows_of(tabled(["", "2019 %", "2018 %"], ["Discount rate", "2.9", "3.8"], terms))
    assert unit(rows["Discount rate"].figures[0]) == ("percent", Decimal("2.9"))
    assert unit(rows["Expected term (years)"].figures[0]) == ("year", Decimal("3.9"))


def unit(figure: Figure) -> tuple[str, Decimal]:
    return figure.quantity.unit, figure.quantity.value


def test_a_label_that_carries_its_headings_is_told_apart_from_them(tabled: Tabled) -> None:
    passages = tabled(
        ["", "2019", "2018"],
        ["Operating activities:", "", ""],
        ["Operating activities: Net income", "50", "40"],
        ["Adjustments:", "", ""],
        ["Operating activities: Adjustments: Depreciation", "9", "8"],
        ["Operating activities: Adjustments: Loss on notes: due 2030", "3", "2"],
        ["Cash generated", "62", "50"],
    )
    rows = rows_of(passages)
    sections = {label: row.section for label, row in rows.items() if row.figures}
    assert sections == {
        "Net income": "Operating activities",
        "Depreciation": "Adjustments",
        "Loss on notes: due 2030": "Adjustments",
        "Cash generated": "",
    }
    depreciation = rows["Depreciation"]
    assert depreciation.figures[0].label == "Operating activities: Adjustments: Depreciation"
    passage = next(passage for passage in passages if passage.id == depreciation.source)
    start = depreciation.label_span.start - passage.span.start
    assert passage.text[start : start + len("Depreciation")] == "Depreciation"


def test_headings_that_rows_share_are_known_without_their_line(tabled: Tabled) -> None:
    rows = rows_of(tabled(["", "2019"], ["Assets: Cash", "10"], ["Assets: Stocks", "5"], ["Note: unaudited", "1"]))
    assert [(label, row.section) for label, row in rows.items()] == [
        ("Cash", "Assets"),
        ("Stocks", "Assets"),
        ("Note: unaudited", ""),
    ]


def test_a_row_that_carries_long_headings_is_found_by_its_own_name(tabled: Tabled) -> None:
    passages = tabled(
        ["", "2019", "2018"],
        ["Adjustments to reconcile net income to cash generated by operating activities:", "", ""],
        ["Adjustments to reconcile net income to cash generated by operating activities: Depreciation", "9", "8"],
        ["Cash generated by operating activities", "62", "50"],
    )
    best = Evidence(passages).best("depreciation")
    assert best is not None
    assert best.figures[0].quantity.value == Decimal(9)


def test_of_two_rows_of_one_name_the_one_with_an_amount_is_meant(tabled: Tabled) -> None:
    passages = tabled(
        ["", "2022", "2021"],
        ["Current assets:", "", ""],
        ["Current assets: Stake in Adev", "2,692", "—"],
        ["Current assets: Cash", "100", "90"],
        ["Stake in Adev", "—", "5,391"],
    )
    for year, value in ((2022, 2692), (2021, 5391)):
        period = Period(year)
        best = Evidence(passages).best("stake in Adev", at=[period])
        assert best is not None
        figure = best.at(period)
        assert figure is not None
        assert figure.quantity.value == value
