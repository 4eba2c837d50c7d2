"""What is wrong with a chart, and the list that it is collected in."""

from dataclasses import dataclass
from typing import Any

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


def kind_of(value: object) -> str:
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
