"""What was said before, as far as a new message may lean on it; the oldest turns of a long talk in a line each."""

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.quality.citations import find
from docmind.quality.sentences import split


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


MOST_MESSAGES = 12
"""Messages beyond which a conversation is compressed."""
NEWEST_TURNS = 4
"""Turns that stay whole then."""
_LONGEST_RECAP = 2_400
_LONGEST_LINE = 240


def recap(earlier: str, turns: Sequence[Turn]) -> str:
    """What was said so far and these turns, each a line: a question and how its answer begins. The oldest go first."""
    lines = [*filter(None, earlier.split("\n")), *map(_recap_line, turns)]
    kept: list[str] = []
    for line in reversed(lines):
        if sum(map(len, kept)) + len(line) > _LONGEST_RECAP:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def _recap_line(turn: Turn) -> str:
    answer = next((sentence.text for sentence in split(turn.answer)), "no answer")
    line = " ".join(f"{turn.question} — {answer}".split())
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
