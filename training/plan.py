"""How long is trained, on how much, and with which seeds: every number of a run in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


def _shares() -> dict[str, float]:
    return {
        "claims": 0.26, "made": 0.05, "support": 0.08, "questions": 0.20, "rank": 0.13, "read": 0.07,
        "graded_claims": 0.10, "graded_questions": 0.11,
    }  # fmt: skip


@dataclass(frozen=True)
class TeacherPlan:
    """How the teacher is trained, and how long it writes; it grades all that it wrote."""

    seed: int = 3
    seconds: float = 400
    """Of training; the learning rate is at zero by then."""
    steps: int | None = None
    """Ends training after so many, where that comes first."""
    tokens: int = 15_500
    """Of a batch."""
    rate: float = 1e-5
    warmup: float = 0.04
    write_s: float = 230
    written_at_once: int = 512
    """Passages."""
    log_every: int = 50


@dataclass(frozen=True)
class Plan:
    """One run."""

    seeds: tuple[int, ...] = (11, 21)
    """One after the other, each from where the one before ended; what the last one ends with is kept."""
    further: bool = False
    """Starts from the reader that ships, and not from published weights."""
    build_seed: int = 7
    seconds: tuple[float, ...] = (1420, 590)
    """Of training, one a seed; the learning rate is at zero by then."""
    steps: int | None = None
    """Ends training after so many, where that comes first."""
    tokens: int = 65_536
    """Of a batch."""
    shares: Mapping[str, float] = field(default_factory=_shares)
    """How much of a batch each kind of row gets."""
    passages: int = 5
    """Beside a public query, the one that answers among them."""
    learning_rates: tuple[float, ...] = (6e-5, 4e-5)
    """One a seed."""
    head_rate: float = 5e-4
    weight_decay: float = 0.01
    warmup: float = 0.05
    average_decay: float = 0.998
    masked: float = 0.12
    """Of the words of every second row, but for those that decide: otherwise rows are learned by heart."""
    compiled: bool = True
    """Compiles the layers where torch can: quicker, after a minute."""
    checkpoint_s: float = 400
    embedder_s: float = 300
    """Of training the embedder."""
    log_every: int = 100
    layers: int = 8
    """The lowest of the base's twelve: the upper ones are made for comparing whole texts, and take time."""
    hidden: int = 768
    rows_each: int | None = None
    """Keeps only so many rows of every public set."""
    groups: int | None = None
    """Keeps only so many groups of each kind of the authored documents."""
    random_weights: bool = False
    """Starts from random weights, and not from published ones."""
    teacher: TeacherPlan = TeacherPlan()

    def last_seed(self) -> "Plan":
        """Only what comes last, from the reader that ships: that one has been through what comes before."""
        return replace(
            self,
            further=True,
            seeds=self.seeds[-1:],
            seconds=self.seconds[-1:],
            learning_rates=self.learning_rates[-1:],
        )


SHIPPED = Plan()
TINY = replace(
    SHIPPED,
    seeds=(11,),
    learning_rates=(1.2e-4,),
    seconds=(600,),
    steps=20,
    compiled=False,
    embedder_s=10,
    tokens=3_136,
    rows_each=8,
    groups=40,
    layers=1,
    hidden=96,
    log_every=5,
    random_weights=True,
    teacher=TeacherPlan(steps=4, tokens=4_000, rate=1e-3, written_at_once=4, write_s=5, log_every=5),
)
