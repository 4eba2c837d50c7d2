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
class Round:
    """One training, from where the one before ended."""

    seed: int
    seconds: float
    """The learning rate is at zero by then."""
    rate: float
    warmup: float = 0.05
    masked: float = 0.12
    """Of the words of every second row, but for those that decide: otherwise rows are learned by heart."""
    dropout: float = 0.1


@dataclass(frozen=True)
class Plan:
    """One run."""

    rounds: tuple[Round, ...] = (
        Round(11, 1420, 6e-5),
        Round(21, 590, 4e-5),
    )
    """One after the other; what the last one ends with is kept."""
    further: bool = False
    """Starts from the reader that ships, and not from published weights."""
    build_seed: int = 7
    steps: int | None = None
    """Ends each round after so many, where that comes first."""
    tokens: int = 65_536
    """Of a batch."""
    shares: Mapping[str, float] = field(default_factory=_shares)
    """How much of a batch each kind of row gets."""
    passages: int = 5
    """Beside a public query, the one that answers among them."""
    head_rate: float = 5e-4
    weight_decay: float = 0.01
    average_decay: float = 0.998
    compiled: bool = True
    """Compiles the layers where torch can: quicker, after a minute."""
    checkpoint_s: float = 400
    embedder_s: float = 300
    """Of training the embedder."""
    log_every: int = 100
    layers: int = 8
    """The lowest of the base's twelve; the others take time."""
    hidden: int = 768
    rows_each: int | None = None
    """Keeps only so many rows of every public set."""
    groups: int | None = None
    """Keeps only so many groups of each kind of the authored documents."""
    random_weights: bool = False
    """Starts from random weights, and not from published ones."""
    teacher: TeacherPlan = TeacherPlan()

    def last_round(self) -> "Plan":
        """Only what comes last, from the reader that ships: that one has been through what comes before."""
        return replace(self, further=True, rounds=self.rounds[-1:])


SHIPPED = Plan()
JUDGE = replace(
    SHIPPED, rounds=(Round(31, 1040, 6e-5, warmup=0.06, masked=0.10, dropout=0.06),), further=True, layers=12
)
"""The judge: the reader that ships with the base's other layers on top, trained once more."""
TINY = replace(
    SHIPPED,
    rounds=(Round(11, 600, 1.2e-4),),
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
