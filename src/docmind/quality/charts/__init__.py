"""Charts of an answer: whether they can be drawn, where they stand in it, and where their numbers come from."""

from docmind.quality.charts.placeholders import PlaceholderProblem, Placement, check_placeholders
from docmind.quality.charts.sources import Point, Traced, plotted_points, trace_points
from docmind.quality.charts.validation import ChartProblem, validate_chart

__all__ = [
    "ChartProblem",
    "PlaceholderProblem",
    "Placement",
    "Point",
    "Traced",
    "check_placeholders",
    "plotted_points",
    "trace_points",
    "validate_chart",
]
