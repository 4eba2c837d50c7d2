"""A chart that Chart.js draws passes; whatever else a configuration may be is reported with its place and reason."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.charts import plotted_points, trace_points, validate_chart
from docmind.quality.charts.validation import MAX_PROBLEMS

BAR: dict[str, Any] = {
    "type": "bar",
    "data": {
        "labels": ["2023", "2024"],
        "datasets": [
            {"label": "Revenue (EUR m)", "data": [601.0, 655.2], "backgroundColor": "#36a2eb"},
            {"label": "Margin (%)", "type": "line", "data": [11.4, None], "yAxisID": "right", "borderColor": "navy"},
        ],
    },
    "options": {
        "responsive": True,
        "plugins": {"title": {"display": True, "text": "Revenue and margin"}, "legend": {"position": "top"}},
        "scales": {"y": {"beginAtZero": True, "title": {"display": True, "text": "EUR million"}}, "right": {}},
    },
}
PIE: dict[str, Any] = {
    "type": "pie",
    "data": {
        "labels": ["Europe", "Asia"],
        "datasets": [{"data": [60, 40], "backgroundColor": ["rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)"]}],
    },
    "options": {"plugins": {"title": {"display": True, "text": ["Revenue by region", "in percent"]}}},
}


def changed(chart: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The chart with one entry set; an ellipsis takes it out."""
    copy = deepcopy(chart)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    target: Any = copy
    for step in steps:
        target = target[step]
    if value is ...:
        del target[last]
    else:
        target[last] = value
    return copy


def test_a_chart_that_can_be_drawn_has_no_problem() -> None:
    assert validate_chart(BAR) == []
    assert validate_chart(PIE) == []
    assert validate_chart(changed(PIE, "type", "doughnut")) == []
    assert validate_chart(changed(BAR, "type", "line")) == []
    assert validate_chart(changed(BAR, "data.labels", [2023, 2024])) == []
    assert validate_chart(changed(BAR, "data.labels.0", "Expenses by function (EUR)")) == []


@pytest.mark.parametrize(
    ("chart", "path", "value", "at", "reason"),
    [
        (BAR, "type", "scatter", "type", "one of line, bar, pie, doughnut"),
        (BAR, "type", ["bar"], "type", "a list"),
        (BAR, "type", ..., "type", "null"),
        (BAR, "data", ..., "data", "labels and datasets"),
        (BAR, "data", "[]", "data", "the text"),
        (BAR, "data.labels", ..., "data.labels", "null"),
        (BAR, "data.labels", [], "data.labels", "an empty list"),
        (BAR, "data.labels", ["2023"], "data.datasets[0].data", "2 points for 1 labels"),
        (BAR, "data.labels.1", " ", "data.labels[1]", "empty"),
        (BAR, "data.labels.1", {"a": 1}, "data.labels[1]", "an object"),
        (BAR, "data.labels.1", "<script>alert(1)</script>", "data.labels[1]", "markup"),
        (BAR, "data.labels.1", "<img src=x onerror=y", "data.labels[1]", "markup"),
        (BAR, "data.labels.1", "a\x00b", "data.labels[1]", "control"),
        (BAR, "data.labels.1", "x" * 1000, "data.labels[1]", "1000 characters"),
        (BAR, "data.labels", ["x"] * 5000, "data.labels", "5000 labels"),
        (BAR, "data.datasets", [], "data.datasets", "an empty list"),
        (BAR, "data.datasets", [{}] * 50, "data.datasets", "50 datasets"),
        (BAR, "data.datasets.0", 5, "data.datasets[0]", "a number"),
        (BAR, "data.datasets.0.data", ..., "data.datasets[0].data", "null"),
        (BAR, "data.datasets.0.data", [], "data.datasets[0].data", "an empty list"),
        (BAR, "data.datasets.0.data", [1, 2, 3], "data.datasets[0].data", "3 points for 2 labels"),
        (BAR, "data.datasets.0.data", [None, None], "data.datasets[0].data", "no number"),
        (BAR, "data.datasets.0.data.1", "655.2", "data.datasets[0].data[1]", "the text '655.2'"),
        (BAR, "data.datasets.0.data.1", True, "data.datasets[0].data[1]", "true or false"),
        (BAR, "data.datasets.0.data.1", {"x": 1, "y": 2}, "data.datasets[0].data[1]", "an object"),
        (BAR, "data.datasets.0.data.1", float("nan"), "data.datasets[0].data[1]", "finite"),
        (BAR, "data.datasets.0.data.1", float("-inf"), "data.datasets[0].data[1]", "finite"),
        (BAR, "data.datasets.0.data.1", {1, 2}, "data.datasets[0].data[1]", "Python set"),
        (BAR, "data.datasets.0.label", ..., "data.datasets[0].label", "undefined"),
        (BAR, "data.datasets.1.type", "pie", "data.datasets[1].type", "cannot be"),
        (BAR, "data.datasets.0.colour", "red", "data.datasets[0].colour", "no such key"),
        (BAR, "data.datasets.0.backgroundColor", ["red"], "data.datasets[0].backgroundColor", "1 colours for 2"),
        (BAR, "data.datasets.0.backgroundColor", "#12345", "data.datasets[0].backgroundColor", "has to be like"),
        (PIE, "data.datasets.0.backgroundColor", "red", "data.datasets[0].backgroundColor", "indistinguishable"),
        (PIE, "data.datasets.0.data.1", -1, "data.datasets[0].data[1]", "negative"),
        (PIE, "data.datasets.0.data", [0, 0], "data.datasets[0].data", "zero"),
        (PIE, "options.scales", {"y": {}}, "options.scales", "no axes"),
        (PIE, "data.labels", ["x"] * 40, "data.labels", "40 labels"),
        (BAR, "options", ..., "options.plugins.title.text", "no title"),
        (BAR, "options", [], "options", "a list"),
        (BAR, "options.plugins.title.text", "", "options.plugins.title.text", "no title"),
        (BAR, "options.plugins.title.display", False, "options.plugins.title.display", "not shown"),
        (BAR, "options.title", {"text": "x"}, "options.title", "no such key"),
        (BAR, "options.plugins.zoom", {}, "options.plugins.zoom", "no such key"),
        (BAR, "options.indexAxis", "z", "options.indexAxis", "x or y"),
        (BAR, "options.scales.y.type", "time", "options.scales.y.type", "has to be one of"),
        (BAR, "options.scales.y.ticks", {"callback": "function (v) { return v }"},
         "options.scales.y.ticks.callback", "JavaScript"),
        (BAR, "options.onClick", "(e) => alert(e)", "options.onClick", "JavaScript"),
        (BAR, "plugins", [], "plugins", "no such key"),
        (BAR, "options.a b", 1, "options['a b']", "no such key"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_at_its_path(
    chart: dict[str, Any], path: str, value: object, at: str, reason: str
) -> None:
    problems = validate_chart(changed(chart, path, value))
    assert at in [problem.path for problem in problems]
    assert any(problem.path == at and reason in problem.reason for problem in problems), problems
    assert all(problem.reason.endswith(".") for problem in problems)


@pytest.mark.parametrize("config", [None, 5, "{}", [], [BAR], float("nan"), object()])
def test_what_is_no_object_is_no_chart(config: object) -> None:
    [problem] = validate_chart(config)
    assert "has to be an object" in problem.reason


def test_a_chart_that_is_nested_without_end_or_holds_itself_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(10_000):
        deep = {"a": deep}
    assert "deep" in validate_chart(changed(BAR, "options.layout", deep))[0].reason
    loop: dict[str, Any] = {"type": "bar"}
    loop["data"] = [loop] * 300
    assert "deep" in validate_chart(loop)[-1].reason
    assert "values" in validate_chart(changed(BAR, "options.layout", [0] * 30_000))[-1].reason


def test_a_whole_number_beyond_every_float_is_not_finite_in_a_browser() -> None:
    chart = changed(BAR, "data.datasets.0.data.1", 10**5000)
    assert [problem.path for problem in validate_chart(chart)] == ["data.datasets[0].data[1]"]
    assert len(plotted_points(chart)) == 2


def test_no_more_problems_are_listed_than_can_be_read() -> None:
    chart = changed(changed(BAR, "data.labels", ["x"] * 400), "data.datasets.0.data", ["?"] * 400)
    problems = validate_chart(chart)
    assert len(problems) == MAX_PROBLEMS + 1
    assert "more problems" in problems[-1].reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4),
    max_leaves=20,
)
PATHS = [
    "type", "data", "data.labels", "data.labels.0", "data.datasets", "data.datasets.0", "data.datasets.0.data",
    "data.datasets.0.data.0", "data.datasets.0.label", "data.datasets.0.backgroundColor", "options", "options.plugins",
    "options.plugins.title", "options.plugins.title.text", "options.scales", "options.scales.y", "options.indexAxis",
    "options.scales.y.title", "data.datasets.1.yAxisID",
]  # fmt: skip


@given(JSON)
def test_any_json_is_judged_without_raising(config: object) -> None:
    validate_chart(config)
    trace_points(config, [])


@given(st.sampled_from(PATHS), JSON, st.sampled_from([BAR, PIE]))
def test_a_chart_with_anything_in_any_place_is_judged_without_raising(
    path: str, value: object, chart: dict[str, Any]
) -> None:
    if (chart is PIE and "scales" in path) or "datasets.1" in path:
        chart = BAR
    config = changed(chart, path, value)
    validate_chart(config)
    assert len(plotted_points(config)) == len(trace_points(config, []))
