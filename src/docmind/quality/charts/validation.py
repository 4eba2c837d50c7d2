"""Whether a Chart.js configuration draws what it should: its type, title, labels and datasets, with the reasons."""

from typing import Any

from docmind.quality.charts.colours import check_colours
from docmind.quality.charts.hygiene import check_plain
from docmind.quality.charts.options import check_options
from docmind.quality.charts.problem import ChartProblem, Report, below, check_keys, kind_of
from docmind.quality.quantities.tokens import vocabulary

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
        report.add("", f"The chart is {kind_of(config)}, and has to be an object with type, data and options.")
    elif check_plain(config, report):
        _check(config, report)
    return report.problems


def _check(config: dict[str, Any], report: Report) -> None:
    kind = config.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        report.add("type", f"The type has to be one of {', '.join(TYPES)}, and is {kind_of(kind)}.")
        kind = ""
    check_keys("", config, frozenset({"type", "data", "options"}), report)
    data = config.get("data")
    if isinstance(data, dict):
        check_keys("data", data, frozenset({"labels", "datasets"}), report)
        labels = _check_labels(data.get("labels"), kind, report)
        _check_datasets(data.get("datasets"), labels, kind, report)
    else:
        report.add("data", f"The data is {kind_of(data)}, and has to be an object with labels and datasets.")
    check_options(config.get("options"), kind in ROUND, report)


def _check_labels(labels: object, kind: str, report: Report) -> int | None:
    """How many labels there are, if they are labels at all."""
    path = "data.labels"
    if not isinstance(labels, list) or not labels:
        what = "an empty list" if labels == [] else kind_of(labels)
        report.add(path, f"The labels are {what}, and have to be a list with one for each point.")
        return None
    most = MAX_SLICES if kind in ROUND else MAX_LABELS
    if len(labels) > most:
        report.add(path, f"There are {len(labels)} labels, and nobody can read more than {most} in such a chart.")
        return len(labels)
    for index, label in enumerate(labels):
        named = isinstance(label, int | float) and not isinstance(label, bool)
        if not named and not (isinstance(label, str) and label.strip()):
            what = "empty" if isinstance(label, str) else kind_of(label)
            report.add(below(path, index), f"The label is {what}, and has to be text or a number.")
    return len(labels)


def _check_datasets(datasets: object, labels: int | None, kind: str, report: Report) -> None:
    path = "data.datasets"
    if not isinstance(datasets, list) or not datasets:
        what = "an empty list" if datasets == [] else kind_of(datasets)
        report.add(path, f"The datasets are {what}, and have to be a list of at least one.")
        return
    if len(datasets) > MAX_DATASETS:
        report.add(path, f"There are {len(datasets)} datasets, and nobody can tell more than {MAX_DATASETS} apart.")
        return
    for index, dataset in enumerate(datasets):
        place = below(path, index)
        if not isinstance(dataset, dict):
            report.add(place, f"The dataset is {kind_of(dataset)}, and has to be an object with label and data.")
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
        report.add(below(path, "type"), f"A dataset of a {kind} chart cannot be {kind_of(own)}.")


def _check_points(path: str, points: object, labels: int | None, is_round: bool, report: Report) -> int:
    """How many points there are, or 0 where they cannot be drawn at all."""
    if not isinstance(points, list) or not points:
        what = "an empty list" if points == [] else kind_of(points)
        report.add(path, f"The data is {what}, and has to be a list with a number or null for each label.")
        return 0
    if labels is not None and len(points) != labels:
        report.add(path, f"There are {len(points)} points for {labels} labels.")
    if labels is None and len(points) > MAX_LABELS:
        report.add(path, f"There are {len(points)} points, and nobody can read more than {MAX_LABELS}.")
    values = [point for point in points if isinstance(point, int | float) and not isinstance(point, bool)]
    for index, point in enumerate(points):
        if point is not None and (isinstance(point, bool) or not isinstance(point, int | float)):
            report.add(below(path, index), f"The point is {kind_of(point)}, and has to be a number or null.")
        elif is_round and point is not None and point < 0:
            report.add(below(path, index), "A slice cannot be negative; use a bar chart.")
    if not values:
        report.add(path, "There is no number among the points, so that nothing would be drawn.")
    elif is_round and not any(values):
        report.add(path, "All slices are zero, so that nothing would be drawn.")
    return len(points)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
