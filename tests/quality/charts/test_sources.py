"""Every plotted number is traced to the figure or result it shows, in the chart's own scale and time."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.charts import plotted_points, trace_points
from docmind.quality.quantities import Computed, Figure, Operand, Period, Quantity, growth, read_table

TABLE = """\
Revenue | 2024: 655,230 | 2023: 601,020
Cost of sales | 2024: (400,100) | 2023: (380,500)
Net profit | 2024: (31,000) | 2023: 20,000
Operating margin | 2024: 13.0% | 2023: 11.4%
Employees at year end | 2024: 2,946 | 2023: 2,871"""
FIGURES = read_table(TABLE, "Key figures (in thousands of euros, except as stated)", source="report")


def known() -> list[Operand]:
    rise = growth(FIGURES[0], FIGURES[1])
    assert isinstance(rise, Computed)
    return [*FIGURES, rise]


def chart(
    series: str,
    data: list[object],
    *,
    title: str = "",
    axis: str = "",
    labels: list[str] | None = None,
    kind: str = "bar",
) -> dict[str, Any]:
    return {
        "type": kind,
        "data": {"labels": labels or ["2023", "2024"], "datasets": [{"label": series, "data": data}]},
        "options": {
            "plugins": {"title": {"display": True, "text": title}},
            "scales": {"y": {"title": {"display": True, "text": axis}}},
        },
    }


def reasons(config: object) -> list[str]:
    return [traced.reason for traced in trace_points(config, known()) if traced.source is None]


@pytest.mark.parametrize(
    "config",
    [
        chart("Revenue", [601.0, 655.2], title="Revenue in EUR million"),
        chart("Revenue", [601.02, 655.23], axis="EUR million"),
        chart("Revenue (EUR m)", [601, 655]),
        chart("Revenue", [601020, 655230], title="Revenue (in thousands of euros)"),
        chart("Revenue", [601020000, 655230000], axis="EUR"),
        chart("Revenue", [0.6, 0.66], axis="€bn"),
        chart("Margin (%)", [11.4, 13], title="Operating margin"),
        chart("Operating margin", [11.4, None], title="Revenue (EUR million) and margin (%)"),
        chart("Employees", [2871, 2946]),
        chart("Growth", [None, 9.0], axis="in %"),
        chart("Growth", [None, 9.0197]),
        chart("Growth", [None, 54210 / 601020 * 100]),
        chart("Cost of sales", [380.5, 400.1], axis="EUR million"),
        chart("Net profit", [20, -31], axis="EUR million"),
        chart("2024", [655.23, 400.1], axis="EUR million", labels=["Revenue", "Cost of sales"]),
    ],
)
def test_a_number_of_the_sources_is_traced_in_the_scale_of_the_chart(config: object) -> None:
    assert reasons(config) == []


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (chart("Revenue", [601.0, 665.2], axis="EUR million"), "neither a figure"),
        (chart("Revenue", [601.0, 655.3], axis="EUR million"), "neither a figure"),
        (chart("Revenue", [655.2, None], axis="EUR million"), "another time: 2024"),
        (chart("Revenue", [601020, None]), "known as EUR 601,020 thousand"),
        (chart("Revenue", [601.0, None], axis="EUR billion"), "neither a figure"),
        (chart("Revenue", [601.0, None], axis="USD million"), "known as EUR 601,020,000"),
        (chart("Margin (%)", [2871, None]), "which the chart does not say"),
        (chart("Net profit", [20, 31], axis="EUR million"), "neither a figure"),
        (chart("Revenue", [None, 13.0], axis="EUR million"), "which the chart does not say"),
    ],
)
def test_a_number_without_source_is_told_with_what_is_nearest(config: object, reason: str) -> None:
    [told] = reasons(config)
    assert reason in told
    assert told.endswith(".")


def test_the_source_is_the_figure_of_the_same_time_and_name() -> None:
    same = [
        Figure(label, Quantity(Decimal(5), Decimal(1), "money", "EUR"), period=Period(year))
        for year in (2023, 2024)
        for label in ("Profit", "Revenue")
    ]
    traced = trace_points(chart("Revenue", [5, 5]), same)
    assert [one.source for one in traced] == [same[1], same[3]]


def test_points_are_named_by_their_path_and_gaps_are_passed_over() -> None:
    points = plotted_points(chart("Revenue", [None, 655.2, "x", True, float("nan")]))
    assert [(point.path, point.label, point.number) for point in points] == [
        ("data.datasets[0].data[1]", "2024", Decimal("655.2"))
    ]


def test_the_values_of_a_horizontal_chart_are_read_from_its_other_axis() -> None:
    config = chart("Revenue", [601.0, 655.2])
    config["options"]["indexAxis"] = "y"
    config["options"]["scales"] = {"x": {"title": {"text": "EUR million"}}, "y": {"title": {"text": "EUR billion"}}}
    assert reasons(config) == []


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=5), st.sampled_from([0, 3, 6, 9]), st.data())
def test_any_figure_plotted_in_any_stated_scale_is_found_and_any_other_digit_is_not(
    values: list[int], power: int, data: st.DataObject
) -> None:
    figures = [
        Figure(f"Item {index}", Quantity(Decimal(value), Decimal(1), "money", "EUR"))
        for index, value in enumerate(values)
    ]
    axis = {0: "EUR", 3: "EUR thousand", 6: "EUR million", 9: "EUR billion"}[power]
    plotted: list[object] = [float(Decimal(value).scaleb(-power)) for value in values]
    labels = [figure.label for figure in figures]
    assert all(traced.source for traced in trace_points(chart("Amount", plotted, axis=axis, labels=labels), figures))
    # A chart says at least one decimal of its scale: what is nearer than half of that is the same number, rounded.
    far = st.integers(-(10**12), 10**12).filter(
        lambda number: all(20 * abs(number - one) > 10**power for one in values)
    )
    other = data.draw(far)
    config = chart("Amount", [float(Decimal(other).scaleb(-power))], axis=axis, labels=["Other"])
    assert trace_points(config, figures)[0].source is None
