"""Questions come from anywhere: whatever was sent becomes text that can be searched, of bounded length."""

import unicodedata

LONGEST = 2_000
"""Characters of a question that is taken apart: what is longer is a document, and is searched as one."""
_NOISE = frozenset({"Cc", "Cs", "Cn", "Co"})
_UNREADABLE = "\ufffd"


def clean(question: str) -> str:
    """The question as text that can be searched: no control characters, no endless length, both its ends kept."""
    if len(question) > LONGEST:
        half = LONGEST // 2 - 1
        question = f"{question[:half].rsplit(None, 1)[0]} {question[-half:].split(None, 1)[-1]}"
    return "".join(character if _is_text(character) else " " for character in question).strip()


def _is_text(character: str) -> bool:
    return character in "\r\n\t" or not (character == _UNREADABLE or unicodedata.category(character) in _NOISE)
