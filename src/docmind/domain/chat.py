"""What the chat workflow counts as enough, and how often it tries and asks: every limit in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """The defaults are the workflow's contract; an operator may set each."""

    passages: int = 8
    """Passages that are retrieved and graded."""
    relevant_above: float = 0.7
    """How likely a passage must bear on the question to count as relevant."""
    enough: int = 3
    """Relevant passages to answer from without a caveat; all there are, where they are fewer."""
    max_retries: int = 2
    """Rewrites of the query after the first search."""
    max_clarifications: int = 2
    """Questions to the person in one turn."""
    answer_within_s: float = 7 * 24 * 3600.0
    """How long after its turn began a question to the person can be answered."""
