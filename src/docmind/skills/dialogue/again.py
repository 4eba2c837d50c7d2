"""Messages that ask for what was just said once more, or where it stands."""

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.question.words import ASKING, read_words

_AGAIN = vocabulary("repeat source sources page quote cite citation")
_REQUESTING = ASKING | vocabulary("can could please repeat say show")
_SAYING = vocabulary("say tell repeat show explain")
_STANDING = vocabulary("say says said written stand stands")
_SHORT = 4


def asks_again(message: str) -> bool:
    """Where does it say that? Which page is that on? Say that again. Sources?"""
    lower = [word.lower for word in read_words(message)]
    if not lower:
        return False
    if "where" in lower and not _STANDING.isdisjoint(lower):
        return True
    if "again" in lower and not _SAYING.isdisjoint(lower):
        return True
    leaning = bool(pointers(message)) or len(lower) <= _SHORT
    return leaning and not _AGAIN.isdisjoint(lower) and (lower[0] in _REQUESTING or len(lower) <= 2)
