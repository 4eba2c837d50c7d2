"""A figure: a quantity together with what it is a quantity of, and when."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from docmind.domain.documents import Span
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.quantity import Quantity


class Aspect(StrEnum):
    """What a figure says of the thing it is about."""

    LEVEL = "level"
    CHANGE = "change"
    """By how much it rose or fell."""
    EARLIER = "earlier"
    """What it was before, told beside what it is: "after 43.6 percent in 2023"."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One value of a table cell or a sentence; `quantity.span` are its exact characters."""

    label: str
    """Row label with the heading it stands under, or the noun phrase of a sentence."""
    quantity: Quantity
    column: str = ""
    period: Period | None = None
    scale: Decimal = Decimal(1)
    """Scale it was written in: 1000 where the table is in thousands. `quantity.value` has it already."""
    source: str = ""
    """Whatever the caller names the text by, such as a passage's id."""
    aspect: Aspect = Aspect.LEVEL
    concept: str = ""
    """What the document itself says that it is, where it tags its figures: `us-gaap:NetIncomeLoss`."""
    members: tuple[str, ...] = ()
    """The parts of the company it is of, where the document tags it so; none for the whole company."""

    @property
    def span(self) -> Span:
        return self.quantity.span
