"""Whether a configuration is plain JSON and nothing else: finite numbers, no code, no markup, no endless nesting."""

import math
import re
import sys

from docmind.quality.charts.problem import Report, below

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
