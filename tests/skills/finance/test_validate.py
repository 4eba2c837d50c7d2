"""An analysis is checked before it is told."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed
from docmind.skills.finance import Evidence, Flaw, analyse_with, read_question, validate
from docmind.skills.finance.analysis import Analysis

Tabled = Callable[..., list[Passage]]


def growth(report: list[Passage]) -> tuple[Analysis, Evidence, Computed]:
    evidence = Evidence(report)
    analysis = analyse_with(read_question("What was the percentage change in net sales from 2022 to 2023?"), evidence)
    (result,) = analysis.results
    assert isinstance(result, Computed)
    return analysis, evidence, result


def test_a_right_calculation_has_no_findings(report: list[Passage]) -> None:
    analysis, evidence, _ = growth(report)
    assert validate(analysis, evidence) == []


def test_a_formula_that_does_not_hold_is_found(report: list[Passage]) -> None:
    analysis, evidence, result = growth(report)
    wrong = replace(result, latex=result.latex.replace("25.00", "26.00"))
    assert [finding.flaw for finding in validate(replace(analysis, results=(wrong,)), evidence)] == [Flaw.FORMULA]


def test_a_number_that_is_not_the_result_is_found(report: list[Passage]) -> None:
    analysis, evidence, result = growth(report)
    wrong = replace(result, quantity=replace(result.quantity, value=Decimal(26)))
    assert [finding.flaw for finding in validate(replace(analysis, results=(wrong,)), evidence)] == [Flaw.ROUNDING]


def test_a_figure_that_does_not_stand_in_its_source_is_found(report: list[Passage], tabled: Tabled) -> None:
    analysis, _, _ = growth(report)
    elsewhere = Evidence(tabled(["", "2023"], ["Wages", "7"]))
    assert {finding.flaw for finding in validate(analysis, elsewhere)} == {Flaw.SOURCE}


def test_a_total_that_does_not_add_up_is_told_as_a_flaw_of_the_document(tabled: Tabled) -> None:
    rows = [["Ale", "4,137"], ["Stout", "2,000"], ["Total sales", "6,173"]]
    evidence = Evidence(tabled(["", "2023"], *rows))
    analysis = analyse_with(read_question("What were the total sales in 2023?"), evidence)
    (finding,) = validate(analysis, evidence)
    assert finding.is_of_document
    assert finding.message == "Total sales is given as 6,173, but its parts add up to 6,137."


def test_a_total_over_subtotals_is_no_flaw(tabled: Tabled) -> None:
    rows = [["Ale", "4"], ["Stout", "2"], ["", "6"], ["Cider", "60"], ["Perry", "34"], ["Total", "100"]]
    evidence = Evidence(tabled(["", "2023"], *rows))
    analysis = analyse_with(read_question("What was the cider in 2023?"), evidence)
    assert validate(analysis, evidence) == []
