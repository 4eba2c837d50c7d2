"""What a paper is made of, so that the same text can become a PDF or a Word file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A bulleted list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A captioned table. A row of one cell is a group heading; rows whose first cell is in `totals` are set off."""

    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    align: str
    """One letter a column: `l` for words that may wrap, `r` for figures."""
    widths: tuple[float, ...]
    """Relative widths of the columns."""
    totals: frozenset[str] = frozenset()
    ruled: bool = True
    """Whether cells are boxed; accounts are set with rules at totals only."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class NewPage:
    pass


Block = Heading | Text | Points | Table | NewPage


@dataclass(frozen=True, slots=True)
class Look:
    """The house style of the organisation that publishes a paper."""

    accent: str
    """Six hexadecimal digits."""
    serif: bool = False
    landscape: bool = False
    cover: bool = False
    """Whether the title stands on a page of its own."""


@dataclass(frozen=True, slots=True)
class Paper:
    file_name: str
    organisation: str
    title: str
    subtitle: str
    author: str
    day: date
    facts: tuple[tuple[str, str], ...]
    """What the head of the first page states: date, owner, classification."""
    blocks: tuple[Block, ...]
    look: Look
