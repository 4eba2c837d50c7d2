"""The gate before every model call of a run: what is spent, what is under way, and whether one more fits."""

from docmind.domain.budget import Budget, Usage
from docmind.domain.errors import BudgetExhausted


class Meter:
    """One a run, shared by all its models, on one event loop.

    A call is let in with the most it can take and settled with what it took, so that calls side by side cannot pass a
    limit together. Only time is not foreseen: each call is cut off at the seconds that were left when it began.
    """

    def __init__(self, budget: Budget | None = None, spent: Usage | None = None) -> None:
        self.budget = budget or Budget()
        self.spent = spent or Usage()
        self._under_way: list[Usage] = []

    def admit(self, call: Usage, *, kept: Usage) -> None:
        """Let a call in that takes at most so much and leaves `kept` untouched, or refuse it."""
        limit = self.budget.excess(sum(self._under_way, self.spent + call + kept))
        if limit is not None:
            aside = " besides the reserve for the answer" if kept != Usage() else ""
            raise BudgetExhausted(f"One more call would pass the run's limit of {limit}{aside}.", usage=self.spent)
        self._under_way.append(call)

    def settle(self, call: Usage, took: Usage) -> None:
        """Put what an admitted call took in the place of what it might have taken."""
        self._under_way.remove(call)
        self.charge(took)

    def charge(self, took: Usage) -> None:
        self.spent += took

    def seconds_left(self, *, kept: Usage) -> float | None:
        """How long a call may wait from here on; None without a limit."""
        limit = self.budget.seconds
        return None if limit is None else limit - self.spent.seconds - kept.seconds


class Part(Meter):
    """What one step spends, of a run whose limits hold for all its steps together."""

    def __init__(self, whole: Meter) -> None:
        super().__init__(whole.budget)
        self._whole = whole

    def admit(self, call: Usage, *, kept: Usage) -> None:
        self._whole.admit(call, kept=kept)

    def settle(self, call: Usage, took: Usage) -> None:
        self._whole.settle(call, took)
        self.spent += took

    def charge(self, took: Usage) -> None:
        self._whole.charge(took)
        self.spent += took

    def seconds_left(self, *, kept: Usage) -> float | None:
        return self._whole.seconds_left(kept=kept)
