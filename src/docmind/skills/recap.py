"""Keeps a long conversation short: the newest turns stay whole, the older ones become a few lines."""

from collections.abc import Sequence

from docmind.quality.sentences import split
from docmind.skills.dialogue.history import Turn

MOST_MESSAGES = 12
"""Messages beyond which a conversation is compressed."""
NEWEST_TURNS = 4
"""Turns that stay whole then."""
_LONGEST = 2_400
_LONGEST_LINE = 240


def recap(earlier: str, turns: Sequence[Turn]) -> str:
    """What was said so far and these turns, each a line: a question and how its answer begins. The oldest go first."""
    lines = [*filter(None, earlier.split("\n")), *map(_line, turns)]
    kept: list[str] = []
    for line in reversed(lines):
        if sum(map(len, kept)) + len(line) > _LONGEST:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def _line(turn: Turn) -> str:
    answer = next((sentence.text for sentence in split(turn.answer)), "no answer")
    line = " ".join(f"{turn.question} — {answer}".split())
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
