"""A request as its words, each of which is understood at most once."""

import re
from collections.abc import Iterator
from functools import cached_property

from docmind.skills.question.words import Word, read_words


class Sentence:
    """The words of a request, and which of them are spoken for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = read_words(text)
        self._taken = [False] * len(self.words)

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def lower(self) -> list[str]:
        return [word.lower for word in self.words]

    def is_free(self, at: int) -> bool:
        return 0 <= at < len(self.words) and not self._taken[at]

    def take(self, start: int, end: int) -> None:
        self._taken[start:end] = [True] * (end - start)

    def find(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match that touches nothing taken, which is taken with it."""
        for match in pattern.finditer(self.text):
            touched = [at for at, word in enumerate(self.words) if _overlap(word, match)]
            if touched and all(map(self.is_free, touched)):
                self.take(touched[0], touched[-1] + 1)
                return match
        return None

    def windows(self, longest: int) -> Iterator[tuple[int, int]]:
        """Every run of free words, the longest first, then from the left."""
        for length in range(min(longest, len(self.words)), 0, -1):
            for start in range(len(self.words) - length + 1):
                if not any(self._taken[start : start + length]):
                    yield start, start + length

    def phrase(self, start: int, end: int) -> str:
        return " ".join(word.text for word in self.words[start:end])


def _overlap(word: Word, match: re.Match[str]) -> bool:
    return word.span.start < match.end() and match.start() < word.span.end
