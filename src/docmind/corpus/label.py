"""How a document introduces itself at the head of each of its passages: what it is, of whom and when, and its name."""

import re
from pathlib import PurePosixPath

from docmind.domain.documents import Metadata

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LONGEST_NAME = 80


def label(metadata: Metadata, name: str) -> str:
    """`Annual report 2023 · Ellandor Instruments N.V. · ELLN`; nothing is said twice."""
    title = metadata.title or ""
    year, quarter = metadata.fiscal_year, metadata.quarter
    period = f"Q{quarter} {year}" if quarter and year else year
    parts = [title, *(str(part) for part in (metadata.company, metadata.ticker, period) if part)]
    said = " · ".join(part for number, part in enumerate(parts) if part and (number == 0 or part not in title))
    return " · ".join(filter(None, (said, _new_words(name, said))))


def _new_words(name: str, said: str) -> str:
    """The words of the file's name that are not said yet: people name files by what they look for in them."""
    stem = PurePosixPath(name.rpartition("!")[2]).stem[:LONGEST_NAME]
    words = _WORD.findall(_CAMEL.sub(" ", stem))
    known = said.casefold()
    return " ".join(word for word in words if len(word) > 2 and word.casefold() not in known)
