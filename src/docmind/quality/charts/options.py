"""Whether the options of a chart give it a title that is shown, and axes where it has some."""

from typing import Any

from docmind.quality.charts.problem import Report, below, check_keys, kind_of
from docmind.quality.quantities.tokens import vocabulary

_OPTIONS = vocabulary(
    "responsive maintainAspectRatio aspectRatio resizeDelay devicePixelRatio locale plugins scales indexAxis elements "
    "layout interaction hover animation animations transitions datasets parsing normalized spanGaps showLine skipNull "
    "color backgroundColor borderColor font cutout radius rotation circumference events offset clip stacked"
)
_PLUGINS = vocabulary("title subtitle legend tooltip filler decimation colors")
_SCALES = vocabulary("linear category logarithmic")


def check_options(options: object, is_round: bool, report: Report) -> None:
    """The title is required; the rest may be left out, but has to be what Chart.js takes it for."""
    given = _mapping("options", options, report)
    check_keys("options", given, _OPTIONS, report)
    plugins = _mapping("options.plugins", given.get("plugins"), report)
    check_keys("options.plugins", plugins, _PLUGINS, report)
    _check_title(plugins.get("title"), report)
    axis = given.get("indexAxis", "x")
    if axis not in ("x", "y"):
        report.add("options.indexAxis", f"The index axis has to be x or y, and is {kind_of(axis)}.")
    scales = _mapping("options.scales", given.get("scales"), report)
    if scales and is_round:
        report.add("options.scales", "A round chart has no axes.")
        return
    for name, scale in scales.items():
        path = below("options.scales", name)
        kind = _mapping(path, scale, report).get("type", "linear")
        if not isinstance(kind, str) or kind not in _SCALES:
            report.add(below(path, "type"), f"An axis has to be one of {', '.join(sorted(_SCALES))}.")


def title_lines(title: object) -> list[str]:
    """The lines of a title or subtitle, or of an axis's, given with its settings."""
    text = title.get("text") if isinstance(title, dict) else None
    return [line for line in (text if isinstance(text, list) else [text]) if isinstance(line, str) and line.strip()]


def _check_title(title: object, report: Report) -> None:
    path = "options.plugins.title"
    if not title_lines(title):
        report.add(f"{path}.text", "The chart has no title.")
    elif isinstance(title, dict) and title.get("display") is not True:
        report.add(f"{path}.display", "The title is not shown unless display is true.")


def _mapping(path: str, value: object, report: Report) -> dict[str, Any]:
    """The value, or an empty one where it is left out or is no object, which is reported."""
    if isinstance(value, dict):
        return value
    if value is not None:
        report.add(path, f"This is {kind_of(value)}, and has to be an object.")
    return {}
