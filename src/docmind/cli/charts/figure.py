"""A chart as it is drawn: what a Chart.js configuration says, without what only a browser needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from docmind.cli.terminal import printable


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a chart, or one colour of its bars; a gap is None."""

    name: str
    values: tuple[float | None, ...]
    colours: tuple[str, ...]
    """One for each value."""


@dataclass(frozen=True, slots=True)
class Drawing:
    kind: str
    title: str
    source: str
    labels: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def values(self) -> list[float]:
        return [value for row in self.rows for value in row.values if value is not None]


def drawing_of(config: Mapping[str, Any]) -> Drawing:
    """Reads a configuration that passed the checks of an answer."""
    labels = tuple(printable(str(label)) for label in config["data"]["labels"])
    plugins = config["options"]["plugins"]
    return Drawing(
        kind=config["type"],
        title=printable(plugins["title"]["text"]),
        source=printable(plugins.get("subtitle", {}).get("text", "")),
        labels=labels,
        rows=tuple(_row(dataset, len(labels)) for dataset in config["data"]["datasets"]),
    )


def _row(dataset: Mapping[str, Any], points: int) -> Row:
    colour = dataset.get("backgroundColor", "#2563eb")
    colours = tuple(colour) if isinstance(colour, list) else (colour,) * points
    return Row(printable(dataset.get("label", "")), tuple(dataset["data"]), colours)


def number(value: float) -> str:
    """As short as it is exact, with thousands apart."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,}"
