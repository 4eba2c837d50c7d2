"""The headings that rows of a table stand under, where a row's own label carries them: "Current assets: Cash"."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from docmind.skills.finance.cells import NAMED


def carried_sections(labels: Sequence[str], headings: Collection[str]) -> dict[str, str]:
    """The headings before the name of each label that has them, "Current assets" of "Current assets: Cash".

    What stands before a colon is a heading where the table has a row of that name, or where several labels share it.
    """
    shared = Counter(path for label in set(labels) for path in _paths(label))
    known = {
        label: [path for path in _paths(label) if shared[path] > 1 or path.rpartition(NAMED)[2] in headings]
        for label in labels
    }
    return {label: paths[-1] for label, paths in known.items() if paths}


def _paths(label: str) -> Iterator[str]:
    """What stands before each colon, shortest first."""
    at = label.find(NAMED)
    while at >= 0:
        yield label[:at]
        at = label.find(NAMED, at + 1)
