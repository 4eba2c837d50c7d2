"""What a passage states, in a form that can be looked up: the thing spoken of, and what is said of it."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span
from docmind.quality.conflicts.setting import Setting
from docmind.quality.quantities import Period, Quantity


class Stance(StrEnum):
    """What a rule makes of an act, as the verb of a sentence about the rule."""

    DEMANDS = "demands"
    ALLOWS = "allows"
    FORBIDS = "forbids"
    EXEMPTS = "makes optional"


@dataclass(frozen=True, slots=True)
class Statement:
    """A value, a date or a rule, with its exact place."""

    topic: Hashable
    """Statements of one topic speak of the same aspect of the same thing at the same time."""
    value: Quantity | Period | Stance
    setting: Setting
    span: Span
    """The value's characters in the document."""
    quote: Span
    """The sentence or row in the document."""
    name: str = ""
    """What it is about, as far as a few words of it tell."""
    period: Period | None = None
    """When it holds; a date is itself the value."""
    scale_known: bool = True
    directed: bool = False
    """Whether its sign is the direction of a change that was told: rose, fell."""

    @property
    def value_key(self) -> Hashable:
        """What is said, wherever it stands."""
        if isinstance(self.value, Quantity):
            return self.value.value, self.value.step, self.value.currency
        return self.value.key if isinstance(self.value, Period) else self.value

    @property
    def said(self) -> str:
        return self._words(self.span)

    @property
    def quoted(self) -> str:
        return self._words(self.quote)

    def _words(self, span: Span) -> str:
        passage = self.setting.passage
        return passage.text[span.start - passage.span.start : span.end - passage.span.start]
