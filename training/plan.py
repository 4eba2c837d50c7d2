"""How long is trained, on how much, and with which seeds: every number of a run in one place."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Plan:
    """One run."""

    seeds: tuple[int, ...] = (11, 12)
    build_seed: int = 7
    steps: int = 6000
    seconds: float | None = None
    """Ends training after this time instead, with the learning rate at zero by then."""
    claim_pairs: int = 40
    question_pairs: int = 16
    support_rows: int = 48
    queries: int = 10
    passages: int = 5
    reading_rows: int = 32
    feeders: int = 3
    """Processes that put batches together, for each of the two kinds."""
    learning_rate: float = 1.2e-4
    head_rate: float = 5e-4
    weight_decay: float = 0.01
    warmup: float = 0.05
    average_decay: float = 0.998
    layers: int = 12
    rows_each: int | None = None
    """Keeps only so many rows of every public set."""


SHIPPED = Plan()
TINY = replace(
    SHIPPED, steps=2, claim_pairs=2, question_pairs=1, support_rows=2, queries=1, passages=3, reading_rows=2,
    rows_each=8, layers=1,
)  # fmt: skip
