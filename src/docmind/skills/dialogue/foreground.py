"""What a question put into the foreground, as a phrase that the next one can take up."""

from docmind.quality.forms import base_form
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.dialogue.pointers import pointers
from docmind.skills.question.names import names
from docmind.skills.question.subject import subject
from docmind.skills.question.words import AUXILIARIES, COPULAS, read_words

_LONGEST = 8
"""Words of a phrase: what is longer is a sentence."""
_EMPTY = AUXILIARIES | vocabulary("else more other there")


def asked_about(question: str) -> str:
    """The thing that a question asks about; by its name alone where it has one. Empty where it cannot be told."""
    phrase = _without_verb(subject(question), question)
    phrase = phrase.removeprefix("many ").removeprefix("much ")
    words = read_words(phrase)
    if not words or len(words) > _LONGEST or pointers(phrase):
        return ""
    if words[0].lower in _EMPTY or words[-1].lower in _EMPTY:
        return ""
    # Behind something, a capital is no sign that a sentence begins.
    named = names(f"- {phrase}")
    return named[0].text if named and phrase.removeprefix("the ").startswith(named[0].text) else phrase


def _without_verb(phrase: str, question: str) -> str:
    """The verb at the end of a question is not a part of what it asks about: receipts kept, customers expect."""
    words, asked = read_words(phrase), read_words(question)
    if asked and asked[0].lower in ("which", "what") and not any(word.lower in AUXILIARIES for word in asked):
        return " ".join(word.text for word in words[:2])  # the competitor that delivers fastest
    if len(words) < 2 or words[-1].text != asked[-1].text:
        return phrase
    last = words[-1].lower
    done = base_form(last) != last and not last.endswith(("s", "ing"))
    forward = next((word.lower for word in asked[:_LONGEST] if word.lower in AUXILIARIES), "")
    acted = bool(forward) and forward not in COPULAS and not last.endswith("s")
    return " ".join(word.text for word in words[:-1]) if done or acted else phrase
