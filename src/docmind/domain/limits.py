"""What the workflows count as enough: every threshold, penalty and number of tries, in one place."""

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


@dataclass(frozen=True, slots=True)
class StrategyLimits:
    """The defaults are the workflow's contract; an operator may set each."""

    max_retries: int = 2
    """Drafts after the first."""
    candidates: int = 10
    min_score: float = 0.60
    """How likely a passage must bear on the question."""
    retry_candidates: int = 20
    retry_min_score: float = 0.55
    min_confidence: float = 0.65
    """A draft below it is tried again."""

    context_chars: int = 6_000
    """Evidence beyond it is compressed before a chat model reads it."""
    whole_passages: int = 3
    """The best passages, which compression leaves as they are."""
    least_kept: float = 0.35
    """Where less of the evidence survives compression, something may have been lost."""

    judge_quotes: bool = True
    """Whether a judging model is asked about a draft that code is certain of."""

    uncited_penalty: float = 0.03
    """What each uncited sentence takes off the confidence."""
    most_uncited_penalty: float = 0.40
    invalid_citation_factor: float = 0.5
    uncited_for_retry: int = 5

    invented_clamp: float = 0.40
    """The most faithfulness of an answer with something invented, or a citation that leads nowhere."""
    uncited_clamp: float = 0.50
    uncited_clamp_from: int = 5
    mostly_uncited_clamp: float = 0.30
    mostly_uncited_clamp_from: int = 10

    faithfulness_weight: float = 0.35
    relevance_weight: float = 0.25
    completeness_weight: float = 0.25
    reasoning_weight: float = 0.15
