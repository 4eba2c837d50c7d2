"""Each chart has exactly one place in the answer, and the places are in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.charts import Placement, check_placeholders


def test_charts_in_their_places_are_right() -> None:
    assert check_placeholders("Revenue rose.\n[CHART:1]\nSo did profit [1]. [CHART:2]", {1: {}, 2: {}}) == []
    assert check_placeholders("No chart, but a [chart of accounts] and a [Chart 1](#one).", ()) == []


@pytest.mark.parametrize(
    ("answer", "charts", "placement", "chart", "at"),
    [
        ("See [CHART:2].", [], Placement.MISSING, 2, "[CHART:2]"),
        ("See nothing.", [1], Placement.UNUSED, 1, None),
        ("[CHART:1] and [CHART:1]", [1], Placement.DUPLICATED, 1, "[CHART:1]"),
        ("[CHART:2] and [CHART:1]", [1, 2], Placement.OUT_OF_ORDER, 1, "[CHART:1]"),
        ("[chart:1]", [], Placement.MALFORMED, None, "[chart:1]"),
        ("[CHART: 1]", [], Placement.MALFORMED, None, "[CHART: 1]"),
        ("[Chart 1]", [], Placement.MALFORMED, None, "[Chart 1]"),
        ("[CHART:01]", [], Placement.MALFORMED, None, "[CHART:01]"),
        ("[CHART:revenue]", [], Placement.MALFORMED, None, "[CHART:revenue]"),
        ("[CHART:99999999999999999999]", [], Placement.MALFORMED, None, "[CHART:99999999999999999999]"),
    ],
)
def test_a_misplaced_chart_is_reported_where_it_stands(
    answer: str, charts: list[int], placement: Placement, chart: int | None, at: str | None
) -> None:
    [problem] = check_placeholders(answer, charts)
    assert (problem.placement, problem.chart) == (placement, chart)
    assert (problem.span and problem.span.of(answer)) == at
    assert problem.reason.endswith(".")


def test_the_second_of_two_places_is_the_one_too_many() -> None:
    [problem] = check_placeholders("[CHART:1] and [CHART:1]", [1])
    assert problem.span is not None
    assert problem.span.start == 14


@given(
    st.lists(st.sampled_from(["[CHART:", "1]", "2]", "[chart", " ", ":", "]", "[", "x"])).map("".join),
    st.sets(st.integers(1, 3)),
)
def test_every_chart_is_placed_or_reported(answer: str, charts: set[int]) -> None:
    problems = check_placeholders(answer, charts)
    unused = {problem.chart for problem in problems if problem.placement is Placement.UNUSED}
    assert unused == {number for number in charts if f"[CHART:{number}]" not in answer}
