"""How long is trained, on how much, and with which seeds: every number of a run in one place."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


def _shares() -> dict[str, float]:
    return {"claims": 0.33, "made": 0.07, "support": 0.10, "questions": 0.24, "rank": 0.17, "read": 0.09}


@dataclass(frozen=True)
class Plan:
    """One run."""

    seeds: tuple[int, ...] = (11,)
    """One after the other, each from where the one before ended; what the last one ends with is kept."""
    build_seed: int = 7
    seconds: float = 1420
    """Of training a seed; the learning rate is at zero by then."""
    steps: int | None = None
    """Ends training after so many, where that comes first."""
    tokens: int = 65_536
    """Of a batch."""
    shares: Mapping[str, float] = field(default_factory=_shares)
    """How much of a batch each kind of row gets."""
    passages: int = 5
    """Beside a public query, the one that answers among them."""
    learning_rates: tuple[float, ...] = (6e-5,)
    """One a seed."""
    head_rate: float = 5e-4
    weight_decay: float = 0.01
    warmup: float = 0.05
    average_decay: float = 0.998
    masked: float = 0.12
    """Of the words of every second row, but for those that decide: otherwise rows are learned by heart."""
    compiled: bool = False
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


SHIPPED = Plan()
TINY = replace(
    SHIPPED,
    learning_rates=(1.2e-4,),
    seconds=600,
    steps=20,
    embedder_s=10,
    tokens=3_136,
    rows_each=8,
    groups=40,
    layers=1,
    hidden=96,
    log_every=5,
)
