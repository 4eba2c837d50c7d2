"""A plan carried out over passages: what it comes to, what it rests on, and why it comes to nothing."""

from collections.abc import Callable, Sequence

import pytest

from docmind.domain.documents import Passage
from docmind.quality.quantities import Computed
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.finance import Analysis, Evidence, validate
from docmind.skills.finance.plan import Lookup, Plan, Step, execute, look_up

Tabled = Callable[..., list[Passage]]
Figures = Sequence[tuple[str, str]]
Steps = Sequence[tuple[str, str]]


def planned(figures: Figures, steps: Steps = (), *, company: str = "") -> Plan:
    """Lookups a, b, c of items and periods; steps s, t, u, each an operation and the letters of what it takes."""
    lookups = [Lookup(id="abcdef"[n], item=item, period=at, company=company) for n, (item, at) in enumerate(figures)]
    made = [Step.model_validate({"id": "stu"[n], "operation": op, "of": list(of)}) for n, (op, of) in enumerate(steps)]
    return Plan(lookups=lookups, steps=made)


def told(analysis: Analysis) -> str:
    (result,) = analysis.results
    return result.formula if isinstance(result, Computed) else result.quantity.text


@pytest.mark.parametrize(
    ("figures", "steps", "comes_to"),
    [
        ([("revenue", "2023")], [], "€12,500"),
        ([("revenue", "")], [], "€12,500"),
        ([("revenue", "2022"), ("revenue", "2023")], [("change", "ab")], "12,500 − 10,000 = EUR 2,500 thousand"),
        ([("revenue", "2022"), ("revenue", "2023")], [("growth", "ab")], "(12,500 − 10,000) / 10,000 = 25.00%"),
        ([("revenue", "2021 to 2023")], [("growth", "a")], "(12,500 − 8,000) / 8,000 = 56.25%"),
        ([("cost of sales", "2023"), ("cost of sales", "2022")], [("growth", "ab")],
         "(7,500 − 6,200) / 6,200 = 20.97%"),
        ([("gross profit", "2023"), ("revenue", "2023")], [("share", "ab")], "5,000 / 12,500 = 40.00%"),
        ([("gross profit", "2023"), ("other income", "2023")], [("ratio", "ab")], "5,000 / 250 = 20.00 times"),
        ([("gross profit", "2023"), ("other income", "2023")], [("sum", "ab")], "5,000 + 250 = EUR 5,250 thousand"),
        ([("revenue", "2022 to 2023")], [("average", "a")], "(10,000 + 12,500) / 2 = EUR 11,250 thousand"),
        ([("revenue", "2023"), ("revenue", "2021")], [("cagr", "ab")], "(12,500 / 8,000)^(1/2) − 1 = 25.00%"),
        ([("total wages", "2023"), ("total wages", "2022")], [("growth", "ab")],
         "(2,500,000 − 2,100,000) / 2,100,000 = 19.05%"),
        ([("net margin", "2023")], [], "1,250 / 12,500 = 10.00%"),
        ([("net margin", "2023"), ("net margin", "2022")], [("change", "ab")],
         "(1,250 / 12,500) − (900 / 10,000) = 1.00 percentage points"),
        ([("gross profit", "2023"), ("gross profit", "2022"), ("revenue", "2023"), ("revenue", "2022")],
         [("change", "ab"), ("change", "cd"), ("share", "st")], "1,200 / 2,500 = 48.00%"),
    ],
)  # fmt: skip
def test_a_plan_is_calculated_exactly(report: list[Passage], figures: Figures, steps: Steps, comes_to: str) -> None:
    evidence = Evidence(report)
    analysis = execute(planned(figures, steps), figures[0][0], evidence)
    assert told(analysis) == comes_to
    assert analysis.doubts == ()
    assert validate(analysis, evidence) == []


def test_how_something_moved_is_told_over_all_its_periods(report: list[Passage]) -> None:
    analysis = execute(planned([("revenue", "")], [("series", "a")]), "How did revenue develop?", Evidence(report))
    change, growth, *figures = analysis.results
    assert (change.quantity.text, growth.quantity.text) == ("EUR 4,500 thousand", "56.25%")
    assert [figure.quantity.text for figure in figures] == ["€8,000", "€10,000", "€12,500"]


def test_what_is_found_is_told_with_what_is_missing(report: list[Passage]) -> None:
    analysis = execute(planned([("revenue", "2023"), ("revenue", "1999")]), "revenue", Evidence(report))
    assert told(analysis) == "€12,500"
    assert analysis.missing == ("There is no figure for revenue in 1999.",)


def test_an_order_with_a_gap_is_no_order_and_a_calculation_with_one_is_none(report: list[Passage]) -> None:
    figures, evidence = [("revenue", "2023"), ("revenue", "2022"), ("revenue", "1999")], Evidence(report)
    ranked = execute(planned(figures, [("highest", "abc")]), "revenue", evidence)
    assert [one.quantity.text for one in ranked.results] == ["€12,500", "€10,000"]
    assert (ranked.quotes, len(ranked.missing)) == ((), 1)
    moved = execute(planned(figures[1:], [("growth", "ab")]), "revenue", evidence)
    assert (moved.results, moved.refusal) == ((), "There is no figure for revenue in 1999.")


@pytest.mark.parametrize(("operation", "year"), [("highest", "2023"), ("lowest", "2021")])
def test_the_best_period_is_named_beside_the_others(report: list[Passage], operation: str, year: str) -> None:
    plan = planned([("revenue", "2021 to 2023")], [(operation, "a")])
    analysis = execute(plan, "In which year was revenue so?", Evidence(report))
    assert [quote.text for quote in analysis.quotes] == [year]
    assert len(analysis.results) == 3


def test_figures_of_companies_stand_side_by_side(tabled: Tabled) -> None:
    one = tabled(["", "2023"], ["Revenue", "100"], ["Profit", "10"], name="one")
    two = tabled(["", "2023"], ["Revenue", "400"], ["Profit", "20"], name="two")
    evidence = Evidence([*one, *two], {"one": "Anvil Works", "two": "Birch Mills"})
    lookups = [Lookup(id=c[0], company=c, item="revenue", period="2023") for c in ("Anvil", "Birch")]
    best = Plan(lookups=lookups, steps=[Step.model_validate({"id": "s", "operation": "highest", "of": ["A", "B"]})])
    analysis = execute(best, "Who had the highest revenue in 2023, Anvil or Birch?", evidence)
    assert [quote.text for quote in analysis.quotes] == ["Birch Mills"]
    times = Plan(lookups=lookups, steps=[Step.model_validate({"id": "s", "operation": "ratio", "of": ["B", "A"]})])
    assert told(execute(times, "Birch's revenue to Anvil's", evidence)) == "400 / 100 = 4.00 times"
    listed = execute(Plan(lookups=lookups), "The revenue of Anvil and Birch", evidence)
    assert [result.label for result in listed.results] == ["Anvil Works: Revenue", "Birch Mills: Revenue"]


@pytest.mark.parametrize(
    ("company", "item", "because"),
    [
        ("Corvid", "revenue", "No passage is of Corvid."),
        ("", "revenue", "it is not said whose revenue is meant"),
        ("Anvil", "goodwill", "There is no figure for goodwill of Anvil Works in 2023."),
        ("Anvil", "current ratio", "There is no figure for total current assets of Anvil Works in 2023."),
    ],
)
def test_a_lookup_that_finds_nothing_is_named(tabled: Tabled, company: str, item: str, because: str) -> None:
    one = tabled(["", "2023"], ["Revenue", "100"], ["Profit", "10"], name="one")
    two = tabled(["", "2023"], ["Revenue", "400"], ["Profit", "20"], name="two")
    evidence = Evidence([*one, *two], {"one": "Anvil Works", "two": "Birch Mills"})
    plan = planned([(item, "2023")], company=company)
    analysis = execute(plan, item, evidence)
    assert not analysis.results
    assert because in analysis.refusal
    (unfound,) = look_up(plan, evidence).unfound
    assert unfound.lookup is plan.lookups[0]


@pytest.mark.parametrize(
    ("figures", "steps", "because"),
    [
        ([("revenue", "2019")], [], "no figure for revenue in 2019"),
        ([("revenue", "2023"), ("goodwill", "2023")], [("ratio", "ab")], "no figure for goodwill in 2023"),
        ([("revenue", "last year")], [], "“last year” names no year"),
        ([("revenue", "2023")], [("growth", "a")], "takes two figures"),
        ([("revenue", "2023"), ("gross profit", "2023"), ("other income", "2023")], [("share", "abc")], "names 3"),
        ([("other income", "2023"), ("other income", "2022")], [("growth", "ab")], "from zero"),
        ([("revenue", "2023"), ("gross profit", "2022")], [("share", "ab")], "different periods"),
        ([("revenue", "2021 to 2023")], [("highest", "a"), ("sum", "s")], "no number"),
        ([("revenue", "2023"), ("gross profit", "2023")], [("series", "ab")], "not of one thing"),
    ],
)  # fmt: skip
def test_what_cannot_be_calculated_is_refused(
    report: list[Passage], figures: Figures, steps: Steps, because: str
) -> None:
    analysis = execute(planned(figures, steps), figures[0][0], Evidence(report))
    assert not analysis.results
    assert because in analysis.refusal


def test_a_word_of_the_question_that_was_not_looked_up_is_a_doubt(report: list[Passage]) -> None:
    plan = planned([("revenue", "2023")])
    sure = execute(plan, "What was revenue in 2023?", Evidence(report))
    unsure = execute(plan, "What was revenue from Antarctica in 2023?", Evidence(report))
    assert sure.doubts == ()
    assert "Antarctica" in unsure.doubts[0]


def test_a_result_in_a_greater_scale_says_in_its_formula_what_it_was_divided_by(tabled: Tabled) -> None:
    lead = "Consolidated statements of cash flows (in millions of euros)"
    passages = tabled(
        ["", "2023"], ["Net cash from operations", "30,583"], ["Capital expenditure", "(9,917)"], lead=lead
    )
    figures = [("operating cash flow", "2023"), ("capital expenditure", "2023")]
    evidence = Evidence(passages)
    analysis = execute(planned(figures, [("less", "ab")]), "What was it, in EUR billions, to one decimal?", evidence)
    assert told(analysis) == "(30,583 − 9,917) / 1,000 = EUR 20.7 billion"
    assert validate(analysis, evidence) == []


def test_one_figure_is_no_share_of_itself(report: list[Passage]) -> None:
    analysis = execute(planned([("revenue", "2023"), ("net sales", "2023")], [("share", "ab")]), "", Evidence(report))
    assert analysis.refusal == "One figure was found for both sides: Net sales."


def test_a_row_chosen_by_meaning_is_of_the_part_that_is_named(tabled: Tabled, scorer: ReadingScorer) -> None:
    rows = ["Cash paid for income taxes, net of refunds", "4,354"], ["Cash paid for interest", "1,020"]
    passages = tabled(["", "2023"], *rows, lead="Supplemental cash flow information (in millions)")
    for segment, found in (("", True), ("Antarctica", False)):
        lookup = Lookup(id="a", item="cash tax", period="2023", segment=segment)
        looked = look_up(Plan(lookups=[lookup]), Evidence(passages, answers=scorer.answers))
        assert bool(looked.by_meaning) is found
