"""How much is made, how long each part is trained, and with which seeds: every number of a run in one place."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Plan:
    """One run, from the set to the student."""

    seeds: tuple[int, ...] = (11, 12, 13)
    build_seed: int = 7
    steps: int = 4500
    student_steps: int = 0
    """Of one model taught by all of them; at 0 the mean of their weights is the encoder."""
    # Support goes through its rows about once while the other two heads see theirs many times: judging gets worse
    # when trained for longer, ranking and reading do not.
    support_rows: int = 28
    queries: int = 24
    passages: int = 7
    reading_rows: int = 64
    learning_rate: float = 1e-4
    weight_decay: float = 0.01
    warmup: float = 0.06
    smoothing: float = 0.05
    average_decay: float = 0.999
    taught: float = 0.7
    """The teachers' share of the student's loss."""
    rows_each: int | None = None
    """Keeps only so many rows of every set."""


SHIPPED = Plan()
TINY = replace(
    SHIPPED,
    seeds=(11, 12),
    steps=1,
    student_steps=1,
    support_rows=2,
    queries=1,
    passages=3,
    reading_rows=2,
    rows_each=8,
)
