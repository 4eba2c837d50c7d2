"""What a page's table is once it is found, whichever way it was."""

from dataclasses import dataclass


@dataclass(slots=True)
class Table:
    """A table as found on a page: cells in columns, and which of the page's segments it took."""

    header: list[str]
    rows: list[list[str]]
    caption: str
    taken: set[int]
    """`order` of the segments that went into it."""
    places: list[float]
    """Where its columns stand on the page, from left to right."""
    titles: list[list[str]]
    """The rows that name the columns, as they stand."""
    bold: bool = False
    """Whether the titles are set heavier than the rows."""

    @property
    def order(self) -> int:
        return min(self.taken)
