"""Whether a Chart.js configuration draws what it should: its type, title, labels and datasets, with the reasons."""

import math
import re
import sys
from dataclasses import dataclass
from typing import Any

from docmind.quality.quantities.tokens import vocabulary

MAX_PROBLEMS = 50
"""More do not help whoever has to repair the chart."""
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class ChartProblem:
    """One thing wrong with a configuration, at its place in it."""

    path: str
    """As in JavaScript: data.datasets[1].data; empty for the whole."""
    reason: str
    """As a sentence, for whoever has to repair it."""


class Report:
    """The problems of one chart in the order they were found, of which there are never too many to read."""

    def __init__(self) -> None:
        self.problems: list[ChartProblem] = []

    def add(self, path: str, reason: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(ChartProblem(path, reason))
        elif len(self.problems) == MAX_PROBLEMS:
            self.problems.append(ChartProblem("", f"There are more problems than these {MAX_PROBLEMS}."))


def below(path: str, key: str | int) -> str:
    """The path of an entry of the list or mapping at `path`."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    short = key[:_SHOWN]
    if not short.isidentifier():
        return f"{path}[{short!r}]"
    return f"{path}.{short}" if path else short


def json_kind(value: object) -> str:
    """What a value is, as JSON names it and a sentence says it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return f"the text {value[:_SHOWN]!r}"
    names = ((int | float, "a number"), (list, "a list"), (dict, "an object"))
    return next((name for kind, name in names if isinstance(value, kind)), f"a Python {type(value).__name__}")


def check_keys(path: str, given: dict[str, Any], known: frozenset[str], report: Report) -> None:
    """Report the keys that mean nothing where they stand."""
    for key in given:
        if isinstance(key, str) and key not in known:
            report.add(below(path, key), "Chart.js knows no such key here.")


MAX_DEPTH = 12
MAX_VALUES = 20_000
"""Values in one configuration; it also ends the walk over one that contains itself."""
MAX_TEXT = 300
"""Characters of a label, title or setting."""
_FUNCTION = re.compile(
    r"\bfunction\b\s{0,9}+\w{0,40}+\s{0,9}+\([^()]{0,80}+\)\s{0,9}+\{"
    r"|\)\s{0,9}+=>|=>\s{0,9}+\{|^\s{0,9}+\w{1,40}+\s{0,9}+=>"
)
_MARKUP = re.compile(r"<[A-Za-z/!?]|&(?:#|lt;|gt;)|\bjavascript\s{0,9}+:|\bdata:text/", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def check_plain(config: object, report: Report) -> bool:
    """Report all that is not plain JSON. False where there is so much that looking further is no use."""
    waiting: list[tuple[str, object, int]] = [("", config, 0)]
    seen = 0
    while waiting:
        path, value, depth = waiting.pop()
        seen += 1
        if depth > MAX_DEPTH:
            report.add(path, f"The configuration is nested more than {MAX_DEPTH} deep.")
            return False
        if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
            report.add(path, "A key is not text, which JSON does not allow.")
            return False
        inner = _inner(path, value, report)
        if seen + len(waiting) + len(inner) > MAX_VALUES:
            report.add(path, f"The configuration holds more than {MAX_VALUES} values; plot fewer points.")
            return False
        waiting += [(name, item, depth + 1) for name, item in reversed(inner)]
    return True


def _inner(path: str, value: object, report: Report) -> list[tuple[str, object]]:
    """The entries of a list or mapping; what is neither is checked here."""
    if isinstance(value, dict):
        for key in value:
            _check_text(path, key, report)
        return [(below(path, key), item) for key, item in value.items()]
    if isinstance(value, list):
        return [(below(path, index), item) for index, item in enumerate(value[: MAX_VALUES + 1])]
    if isinstance(value, str):
        _check_text(path, value, report)
    elif isinstance(value, int | float):
        if not _is_finite(value):
            report.add(path, "This is not a finite number, and JSON has no way to write it; use null for a gap.")
    elif value is not None:
        report.add(path, f"A Python {type(value).__name__} cannot be written as JSON.")
    return []


def _is_finite(value: float) -> bool:
    # A whole number can be larger than any float and becomes infinite in a browser.
    return abs(value) <= sys.float_info.max if isinstance(value, int) else math.isfinite(value)


def _check_text(path: str, text: str, report: Report) -> None:
    if len(text) > MAX_TEXT:
        report.add(path, f"The text has {len(text)} characters, and more than {MAX_TEXT} cannot be shown.")
        return
    if _FUNCTION.search(text):
        report.add(path, "The text is JavaScript, which is not run; write out what it should show.")
    if _MARKUP.search(text):
        report.add(path, "The text holds markup or a script; use plain words.")
    if _CONTROL.search(text):
        report.add(path, "The text holds control characters; use plain words.")


_COLOUR = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\([0-9.,%/ deg]{5,60}\)|[a-z]{3,25}", re.IGNORECASE
)


def check_colours(path: str, dataset: dict[str, Any], points: int, is_round: bool, report: Report) -> None:
    """Check every key that names a colour; one colour is meant for all points, a list for each its own."""
    for key, value in dataset.items():
        if not key.endswith("Color") or value is None:
            continue
        place = below(path, key)
        colours = value if isinstance(value, list) else [value]
        wrong = next((colour for colour in colours if not _is_colour(colour)), None)
        if wrong is not None:
            report.add(place, f"A colour is {json_kind(wrong)}, and has to be like #36a2eb, rgb(54, 162, 235) or navy.")
        if isinstance(value, list) and len(value) != points:
            report.add(place, f"There are {len(value)} colours for {points} points.")
        elif is_round and points > 1 and key == "backgroundColor" and not isinstance(value, list):
            report.add(place, f"One colour for {points} slices leaves them indistinguishable; give a list.")


def _is_colour(colour: object) -> bool:
    return isinstance(colour, str) and _COLOUR.fullmatch(colour) is not None


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
        report.add("options.indexAxis", f"The index axis has to be x or y, and is {json_kind(axis)}.")
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
        report.add(path, f"This is {json_kind(value)}, and has to be an object.")
    return {}


AXIAL = ("line", "bar")
ROUND = ("pie", "doughnut")
TYPES = (*AXIAL, *ROUND)
MAX_LABELS = 500
MAX_SLICES = 24
MAX_DATASETS = 20
_DATASET_KEYS = vocabulary(
    "label data type backgroundColor borderColor borderWidth borderDash borderDashOffset borderRadius borderSkipped "
    "hoverBackgroundColor hoverBorderColor hoverBorderWidth hoverOffset pointBackgroundColor pointBorderColor "
    "pointBorderWidth pointHoverBackgroundColor pointHoverBorderColor pointHoverRadius pointRadius pointStyle "
    "pointHitRadius fill tension stepped spanGaps showLine stack order hidden xAxisID yAxisID barThickness "
    "maxBarThickness minBarLength barPercentage categoryPercentage indexAxis weight offset cutout rotation "
    "circumference spacing cubicInterpolationMode clip grouped base"
)


def validate_chart(config: object) -> list[ChartProblem]:
    """What is wrong with a chart, all at once; nothing where it can be drawn. Never raises, whatever it is given."""
    report = Report()
    if not isinstance(config, dict):
        report.add("", f"The chart is {json_kind(config)}, and has to be an object with type, data and options.")
    elif check_plain(config, report):
        _check(config, report)
    return report.problems


def _check(config: dict[str, Any], report: Report) -> None:
    kind = config.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        report.add("type", f"The type has to be one of {', '.join(TYPES)}, and is {json_kind(kind)}.")
        kind = ""
    check_keys("", config, frozenset({"type", "data", "options"}), report)
    data = config.get("data")
    if isinstance(data, dict):
        check_keys("data", data, frozenset({"labels", "datasets"}), report)
        labels = _check_labels(data.get("labels"), kind, report)
        _check_datasets(data.get("datasets"), labels, kind, report)
    else:
        report.add("data", f"The data is {json_kind(data)}, and has to be an object with labels and datasets.")
    check_options(config.get("options"), kind in ROUND, report)


def _check_labels(labels: object, kind: str, report: Report) -> int | None:
    """How many labels there are, if they are labels at all."""
    path = "data.labels"
    if not isinstance(labels, list) or not labels:
        what = "an empty list" if labels == [] else json_kind(labels)
        report.add(path, f"The labels are {what}, and have to be a list with one for each point.")
        return None
    most = MAX_SLICES if kind in ROUND else MAX_LABELS
    if len(labels) > most:
        report.add(path, f"There are {len(labels)} labels, and nobody can read more than {most} in such a chart.")
        return len(labels)
    for index, label in enumerate(labels):
        named = isinstance(label, int | float) and not isinstance(label, bool)
        if not named and not (isinstance(label, str) and label.strip()):
            what = "empty" if isinstance(label, str) else json_kind(label)
            report.add(below(path, index), f"The label is {what}, and has to be text or a number.")
    return len(labels)


def _check_datasets(datasets: object, labels: int | None, kind: str, report: Report) -> None:
    path = "data.datasets"
    if not isinstance(datasets, list) or not datasets:
        what = "an empty list" if datasets == [] else json_kind(datasets)
        report.add(path, f"The datasets are {what}, and have to be a list of at least one.")
        return
    if len(datasets) > MAX_DATASETS:
        report.add(path, f"There are {len(datasets)} datasets, and nobody can tell more than {MAX_DATASETS} apart.")
        return
    for index, dataset in enumerate(datasets):
        place = below(path, index)
        if not isinstance(dataset, dict):
            report.add(place, f"The dataset is {json_kind(dataset)}, and has to be an object with label and data.")
            continue
        check_keys(place, dataset, _DATASET_KEYS, report)
        _check_own_type(place, dataset, kind, report)
        # The legend of one ring is made from the labels; any other legend is made from the datasets' names.
        if (kind in AXIAL or len(datasets) > 1) and not _is_text(dataset.get("label")):
            report.add(below(place, "label"), "The dataset has no name, and the legend would call it undefined.")
        points = _check_points(below(place, "data"), dataset.get("data"), labels, kind in ROUND, report)
        if points:
            check_colours(place, dataset, points, kind in ROUND, report)


def _check_own_type(path: str, dataset: dict[str, Any], kind: str, report: Report) -> None:
    own = dataset.get("type", kind)
    family = AXIAL if kind in AXIAL else (kind,)
    if kind and own not in family:
        report.add(below(path, "type"), f"A dataset of a {kind} chart cannot be {json_kind(own)}.")


def _check_points(path: str, points: object, labels: int | None, is_round: bool, report: Report) -> int:
    """How many points there are, or 0 where they cannot be drawn at all."""
    if not isinstance(points, list) or not points:
        what = "an empty list" if points == [] else json_kind(points)
        report.add(path, f"The data is {what}, and has to be a list with a number or null for each label.")
        return 0
    if labels is not None and len(points) != labels:
        report.add(path, f"There are {len(points)} points for {labels} labels.")
    if labels is None and len(points) > MAX_LABELS:
        report.add(path, f"There are {len(points)} points, and nobody can read more than {MAX_LABELS}.")
    values = [point for point in points if isinstance(point, int | float) and not isinstance(point, bool)]
    for index, point in enumerate(points):
        if point is not None and (isinstance(point, bool) or not isinstance(point, int | float)):
            report.add(below(path, index), f"The point is {json_kind(point)}, and has to be a number or null.")
        elif is_round and point is not None and point < 0:
            report.add(below(path, index), "A slice cannot be negative; use a bar chart.")
    if not values:
        report.add(path, "There is no number among the points, so that nothing would be drawn.")
    elif is_round and not any(values):
        report.add(path, "All slices are zero, so that nothing would be drawn.")
    return len(points)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
