"""Compares names as people write them: whatever their case, accents and plurals, and with a slip or two."""

import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

LONGEST = 80
"""Characters of a name that are compared; what is longer is no name."""
_LETTERS = 26
_VARIANTS = {"center": "centre", "theater": "theatre"}


def fold(text: str) -> str:
    """Lower case, no accents, words separated by one space, nothing but letters and digits."""
    plain = text[:LONGEST].casefold()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in plain.replace("'", "").replace("’", "")).split())


def term(text: str) -> tuple[str, ...]:
    """The words of a kind or service, in the singular: "Dental practices" and "dental practice" are the same."""
    return tuple(_singular(word) for word in fold(text).split())


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _VARIANTS.get(word, word)


def slips_allowed(name: str) -> int:
    """Short names have too many neighbours for a slip to be told from another name."""
    return 0 if len(name) < 4 else 1 if len(name) < 8 else 2


def bags(names: Sequence[str]) -> npt.NDArray[np.int8]:
    """How often each letter occurs in each folded name: what tells most names apart without comparing them."""
    counts = np.zeros((len(names), _LETTERS + 1), dtype=np.int8)
    for row, name in enumerate(names):
        for character in name[:LONGEST]:
            place = ord(character) - ord("a")
            counts[row, place if 0 <= place < _LETTERS else _LETTERS] += 1
    return counts


def closest(name: str, names: Sequence[str], letters: npt.NDArray[np.int8]) -> tuple[list[str], int]:
    """The names with the fewest slips from the folded `name`, and how many; none where that is more than is likely."""
    allowed = slips_allowed(name)
    if not allowed or not names:
        return [], 0
    # A slip changes two letter counts at the most.
    apart = np.abs(letters - bags([name])).sum(axis=1)
    best: dict[int, list[str]] = {}
    for row in map(int, np.flatnonzero(apart <= 2 * allowed)):
        slips = _slips(name, names[row], allowed)
        if slips <= allowed:
            best.setdefault(slips, []).append(names[row])
    fewest = min(best, default=0)
    return best.get(fewest, []), fewest


def _slips(one: str, other: str, most: int) -> int:
    """Letters missing, added, wrong or swapped with their neighbour; counting stops above `most`."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before = before, row
        row = [i]
        for j, against in enumerate(other, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                slips = min(slips, earlier[j - 2] + 1)
            row.append(slips)
        if min(row) > most:
            return most + 1
    return row[-1]
