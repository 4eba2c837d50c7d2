"""What a benchmark says: rows for programs, one table for people, every number beside what it is compared with."""

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from rich.table import Table
from rich.text import Text

from docmind.domain.cores import usable_cores


@dataclass(frozen=True, slots=True)
class Aim:
    """A number to reach, from below unless it is a bound not to pass."""

    value: float
    at_most: bool = False

    def reached_by(self, value: float) -> bool:
        return value <= self.value if self.at_most else value >= self.value

    @property
    def name(self) -> str:
        return "aim ≤" if self.at_most else "aim ≥"


_AIMS = {aim.name: aim.at_most for aim in (Aim(0), Aim(0, at_most=True))}


@dataclass(frozen=True, slots=True)
class Row:
    """One measured number."""

    task: str
    system: str
    metric: str
    value: float
    n: int
    """What it was measured over: questions, passages, searches."""
    references: Mapping[str, float] = field(default_factory=dict)
    aim: Aim | None = None

    def record(self) -> dict[str, object]:
        """The row as programs read it; the aim is one more named number to compare with."""
        aim = {self.aim.name: self.aim.value} if self.aim else {}
        return {
            "task": self.task,
            "system": self.system,
            "metric": self.metric,
            "value": self.value,
            "n": self.n,
            "references": {**self.references, **aim},
        }

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """The row that was recorded so."""
        references = dict(record["references"])
        aims = (Aim(references.pop(name), at_most) for name, at_most in _AIMS.items() if name in references)
        return cls(**{**record, "references": references}, aim=next(aims, None))


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    text = json.dumps([row.record() for row in rows], indent=2, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def table_of(rows: Sequence[Row]) -> Table:
    """All rows, those of a task together, in the order they were measured."""
    table = Table(title="DocMind benchmarks", title_justify="left")
    for heading in ("task", "system", "metric"):
        table.add_column(heading, no_wrap=True)
    for heading in ("value", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("beside it")
    for number, row in enumerate(rows):
        first = number == 0 or rows[number - 1].task != row.task
        last = number + 1 == len(rows) or rows[number + 1].task != row.task
        table.add_row(
            row.task if first else "",
            row.system,
            row.metric,
            shown(row.value),
            f"{row.n:,}",
            _beside(row),
            end_section=last,
        )
    return table


def shown(value: float) -> str:
    """Enough digits to compare, no more: shares to three places, larger numbers to a tenth or whole."""
    if abs(value) < 10:
        return f"{value:.3f}"
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def _beside(row: Row) -> Text:
    lines = [Text(f"{name} {shown(value)}") for name, value in row.references.items()]
    if row.aim:
        mark = Text("✓ reached", "green") if row.aim.reached_by(row.value) else Text("✗ missed", "red")
        lines.append(Text(f"{row.aim.name} {shown(row.aim.value)} ").append_text(mark))
    return Text("\n").join(lines)


def environment() -> str:
    """The machine the numbers come from, in one line."""
    return (
        f"docmind {version('docmind')} · Python {platform.python_version()} · "
        f"{platform.system()} {platform.machine()} · {usable_cores()} cores"
    )
