"""What was said before, as far as a new message may lean on it."""

from dataclasses import dataclass

from docmind.quality.citations import find


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as it was understood, and the answer to it."""

    question: str
    answer: str = ""
    """Without the marks of citations."""
    asked: str = ""
    """The question in the words of who asked it, where it was understood as more than them."""


@dataclass(frozen=True, slots=True)
class History:
    """The turns before the one that is read, oldest first."""

    turns: tuple[Turn, ...] = ()
    earlier: str = ""
    """What came before these turns, in short."""

    def __bool__(self) -> bool:
        return bool(self.turns)

    @property
    def last(self) -> Turn | None:
        return self.turns[-1] if self.turns else None


def unmarked(answer: str) -> str:
    """An answer without the marks of its citations."""
    kept, position = [], 0
    for span in dict.fromkeys(marker.span for marker in find(answer)):
        kept.append(answer[position : span.start].rstrip())
        position = span.end
    return "".join((*kept, answer[position:]))
