"""How often a failed call is tried again, and how long to wait before that."""

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Retries:
    """Waits double from one try to the next and are drawn at random, so that many callers do not come back at once."""

    attempts: int = 3
    """How often a call is made at most, the first time included."""
    first_wait_s: float = 0.5
    longest_wait_s: float = 20.0

    def wait_s(self, failures: int, *, at_least_s: float = 0.0) -> float:
        """How long to wait after that many failures in a row."""
        wait = min(self.first_wait_s * 2.0 ** (failures - 1), self.longest_wait_s)
        drawn = wait * random.uniform(0.5, 1.0)  # noqa: S311 - nothing secret hangs on when a call is repeated
        return max(drawn, at_least_s)
