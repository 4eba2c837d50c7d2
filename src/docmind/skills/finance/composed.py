"""Questions made of questions: “[What was revenue in 2023?] less [what was revenue in 2022?]”, read and written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """What is done with the answers; the words stand between the parts."""

    PLUS = "plus"
    LESS = "less"
    TIMES = "times"
    OVER = "divided by"
    SHARE = "as a percentage of"
    GROWTH = "changed in percent from"
    AVERAGE = "averaged with"


@dataclass(frozen=True, slots=True)
class Composed:
    """One calculation on what questions come to; a part that is a number stands for itself."""

    operator: Operator
    parts: tuple[str, ...]

    def is_number(self, part: str) -> bool:
        return _NUMBER.fullmatch(part) is not None


_NUMBER = re.compile(r"-?\d[\d,]*+(?:\.\d++)?+")
_WORDS = re.compile(r"\s*+(" + "|".join(map(re.escape, Operator)) + r")\s++")
DEEPEST = 4
"""How often brackets may stand in brackets."""


def write(operator: Operator, parts: Sequence[str]) -> str:
    """The question in words, each part in brackets unless it is a number."""
    told = [part if _NUMBER.fullmatch(part) else f"[{part}]" for part in parts]
    return f" {operator} ".join(told)


def read_composed(text: str) -> Composed | None:
    """The calculation that a text writes out; None where it is a question in other words."""
    text = text.strip().rstrip("?").rstrip()
    if "[" not in text:
        return None
    parts: list[str] = []
    operators: set[str] = set()
    at = 0
    while (end := _end_of_part(text, at)) is not None:
        parts.append(text[at:end].removeprefix("[").removesuffix("]"))
        joined = _WORDS.match(text, end)
        if joined is None:
            break
        operators.add(joined[1])
        at = joined.end()
    if end != len(text) or len(parts) < 2 or len(operators) != 1:
        return None
    return Composed(Operator(operators.pop()), tuple(parts))


def _end_of_part(text: str, start: int) -> int | None:
    """Where a bracket or a number ends that begins here."""
    number = _NUMBER.match(text, start)
    if number is not None:
        return number.end()
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if depth == 0:
            return at + 1 if at > start else None
        if depth > DEEPEST:
            return None
    return None
