"""What a document answers a question with: its statement, and the bare answer in it."""

from dataclasses import dataclass

from docmind.domain.documents import Passage, Span


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """The statement of a document that answers a question best."""

    passage: Passage
    span: Span
    """The statement, in the passage's text."""
    value_span: Span
    """The bare answer, in the passage's text."""
    score: float
    """The logit that the passage answers."""
    value_score: float
    """How far the bare answer beats other stretches of the passage."""

    @property
    def place(self) -> Span:
        """The statement, in the document."""
        begin = self.passage.span.start
        return Span(begin + self.span.start, begin + self.span.end)

    @property
    def text(self) -> str:
        return self.span.of(self.passage.text)

    @property
    def value(self) -> str:
        return self.value_span.of(self.passage.text)

    @property
    def rest(self) -> str:
        """The statement without the bare answer: what it is said of."""
        start, end = max(self.span.start, self.value_span.start), min(self.span.end, self.value_span.end)
        return f"{self.passage.text[self.span.start : start]} {self.passage.text[end : self.span.end]}"

    def with_value(self, value: str) -> tuple[str, Span]:
        """The statement with another bare answer in the place of its own, and where that stands."""
        begin, text = self.span.start, self.passage.text
        start, end = max(begin, self.value_span.start), min(self.span.end, self.value_span.end)
        changed = f"{text[begin:start]}{value}{text[end : self.span.end]}"
        return changed, Span(start - begin, start - begin + len(value))

    @property
    def title(self) -> str:
        return self.passage.heading[0] if self.passage.heading else ""

    @property
    def above(self) -> str:
        return " ".join(self.passage.heading)
