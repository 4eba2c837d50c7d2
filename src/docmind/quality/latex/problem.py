"""What can be wrong with a formula, said with its exact place."""

from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span


class Fault(StrEnum):
    """What is wrong: how it is written, a command, or what it says."""

    BROKEN = "broken"
    """It cannot be set, or not as it was meant."""
    UNKNOWN = "unknown"
    """A command or environment that the page cannot draw."""
    UNSAFE = "unsafe"
    """A command that does something else than draw mathematics."""
    FALSE = "false"
    """An equation of plain numbers that does not hold."""


@dataclass(frozen=True, slots=True)
class LatexProblem:
    """One thing wrong with a formula, at its characters in the answer."""

    fault: Fault
    span: Span
    reason: str
    """As a sentence, for whoever has to repair it."""
