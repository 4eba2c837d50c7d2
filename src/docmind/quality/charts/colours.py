"""Whether the colours of a dataset are colours, and as many as there are things to colour."""

import re
from typing import Any

from docmind.quality.charts.problem import Report, below, kind_of

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
            report.add(place, f"A colour is {kind_of(wrong)}, and has to be like #36a2eb, rgb(54, 162, 235) or navy.")
        if isinstance(value, list) and len(value) != points:
            report.add(place, f"There are {len(value)} colours for {points} points.")
        elif is_round and points > 1 and key == "backgroundColor" and not isinstance(value, list):
            report.add(place, f"One colour for {points} slices leaves them indistinguishable; give a list.")


def _is_colour(colour: object) -> bool:
    return isinstance(colour, str) and _COLOUR.fullmatch(colour) is not None
