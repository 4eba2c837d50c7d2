"""A formula as a tree: what belongs to which command, script and bracket."""

from dataclasses import dataclass
from enum import StrEnum

from docmind.domain.documents import Span


class NodeKind(StrEnum):
    """What a node of a formula is."""

    SYMBOL = "symbol"
    NUMBER = "number"
    COMMAND = "command"
    """With its arguments as parts."""
    GROUP = "group"
    """What stands in braces."""
    FENCE = "fence"
    """What stands between \\left and \\right; its text are the two delimiters."""
    ENVIRONMENT = "environment"
    SCRIPTED = "scripted"
    """Its parts are the base, the subscript and the superscript, each empty where there is none."""


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a formula; the text of a number is its digits and decimal point alone."""

    kind: NodeKind
    text: str
    span: Span
    parts: "tuple[tuple[Node, ...], ...]" = ()


Nodes = tuple[Node, ...]
