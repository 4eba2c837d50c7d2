"""A bare "why?" after an answer: written out as a question about it, and told whether a draft gives a reason at all."""

from docmind.quality.grounding.content_words import words
from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.sentences import split
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.dialogue.history import Turn, unmarked
from docmind.skills.extract.compose import without_lead
from docmind.skills.question.words import read_words

NO_REASON = "The documents found do not say why."
_WHY = vocabulary("why come")
_BESIDES = _WHY | vocabulary("how and but so ok okay then is was that this it exactly though")
_GIVING = vocabulary(
    "because since therefore thus hence due owing reason reasons cause caused causes purpose result results resulted "
    "driven led so order ensure ensures avoid avoids prevent prevents reduce reduces enable enables comply required law"
)
"""Words of which a sentence has one that gives a reason."""
_LONGEST = 240


def asks_why(message: str) -> bool:
    """Why? But why is that? How come?"""
    lower = [word.lower for word in read_words(message)]
    return bool(lower) and not _WHY.isdisjoint(lower) and _BESIDES.issuperset(lower)


def why(before: Turn) -> str:
    """The question for the reason of what the answer before began with; empty where that cannot be asked."""
    first = next((sentence.text for sentence in split(without_lead(before.answer))), "")
    if not first or len(first) > _LONGEST:
        return ""
    opening = first.partition(" ")[0].lower()
    # A name keeps its capital; what the question wrote small is none.
    plain = opening in FUNCTION_WORDS or opening in {word.text for word in read_words(before.question)}
    said = first[:1].lower() + first[1:] if plain else first
    return f"Why is it that {said.rstrip(' .!?')}?"


def gives_reason(draft: str, said: str) -> bool:
    """Whether a draft gives a reason and does not only repeat what was said."""
    text = unmarked(draft)
    new = {word.key for word in words(text)} - {word.key for word in words(said)}
    return bool(new) and not _GIVING.isdisjoint(word.lower for word in read_words(text))
