"""What every search asks of a whole collection: counting a million points takes longer than searching them."""

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

REMEMBERED_S = 10.0
MOST_REMEMBERED = 10_000


class Remembered(Generic[Key]):
    """Numbers kept for a moment, since others may write at any time; one that was not there is asked for again.

    They weigh by their logarithm, so what is written in a moment to a store that has any changes next to nothing.
    """

    def __init__(self, kept_s: float = REMEMBERED_S) -> None:
        self._kept_s = kept_s
        self._kept: dict[Key, tuple[float, float]] = {}

    def numbers(self, keys: Sequence[Key], ask: Callable[[Sequence[Key]], Mapping[Key, float]]) -> dict[Key, float]:
        """Those of the keys that have one; `ask` is asked for what is not known."""
        now = time.monotonic()
        known = {key: kept[0] for key in keys if (kept := self._kept.get(key)) and kept[1] > now}
        if missing := [key for key in keys if key not in known]:
            found = {key: number for key, number in ask(missing).items() if number}
            if len(self._kept) + len(found) > MOST_REMEMBERED:
                self._kept.clear()
            self._kept.update((key, (number, now + self._kept_s)) for key, number in found.items())
            known |= found
        return known

    def forget(self) -> None:
        self._kept.clear()
