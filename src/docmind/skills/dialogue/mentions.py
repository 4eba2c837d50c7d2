"""What a conversation has spoken of by name, and how much each stands in the foreground."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.dialogue.history import History
from docmind.skills.question.names import names
from docmind.skills.question.words import PREPOSITIONS, read_words

_FADING = 0.6
"""What is left of a mention's weight after each turn."""
_TOPIC = 2.0
"""A message that is nothing but a name says what the conversation is about."""
_ASKED_ABOUT = 1.0
_TOLD_OF = 0.5
_LONGEST_NAME = 6
_SMALL = PREPOSITIONS | FUNCTION_WORDS
_WHICH = vocabulary("who whom which whose")
_CURRENCIES = vocabulary("EUR USD GBP CHF JPY CNY INR AUD CAD SEK NOK DKK PLN CZK")
_NO_NAMES = _CURRENCIES | vocabulary(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August "
    "September October November December"
)
"""Written with a capital, and nothing that a pronoun could stand for."""
_HONORIFICS = vocabulary("mr mrs ms dr sir lady prof professor lord king queen president")


@dataclass(slots=True)
class Mention:
    """Something named, under the fullest name that was used for it."""

    name: str
    weight: float = 0.0
    last_turn: int = 0
    in_answer: bool = False
    """It was last named by an answer, not by a question."""
    topic: bool = False
    kinds: set[str] = field(default_factory=set)
    """The pronouns that earlier turns used for it."""

    @property
    def words(self) -> list[str]:
        return [word.lower.removesuffix("'s") for word in read_words(self.name)]

    @property
    def is_several(self) -> bool:
        """A group: "Talking Heads", "Zappa and the Mothers"."""
        words = self.words
        several = words[-1].endswith("s") and not words[-1].endswith(("ss", "us", "is"))
        return (several and len(words) > 1) or "and" in words or words[0] == "the"

    @property
    def can_be_person(self) -> bool:
        parts = read_words(self.name)
        if not 1 <= len(parts) <= 5 or any(character.isdigit() for character in self.name):
            return False
        return all(part.text[:1].isupper() or part.lower in ("de", "van", "von", "der", "al", "bin") for part in parts)

    def shortens_to(self, name: str) -> bool:
        """Whether people would say this name for it: "Zappa" for "Frank Zappa"."""
        later = [word.lower.removesuffix("'s") for word in read_words(name) if word.lower not in _HONORIFICS]
        known = self.words
        # A group is not called by the name of one of them.
        part = 0 < len(later) < len(known) and "and" not in known
        return part and later in (known[: len(later)], known[-len(later) :])


def mentions(history: History) -> list[Mention]:
    """Everything named, the weightiest first."""
    found: list[Mention] = []
    count = len(history.turns)
    for number, turn in enumerate(history.turns):
        fading = _FADING ** (count - 1 - number)
        for text, weight, in_answer in ((turn.question, _ASKED_ABOUT, False), (turn.answer, _TOLD_OF, True)):
            asked_who = in_answer and not _WHICH.isdisjoint(word.lower for word in read_words(turn.question)[:2])
            for name, is_whole in _named(text, leads=asked_who):
                mention = _same(found, name)
                if mention is None:
                    mention = Mention(name)
                    found.append(mention)
                mention.topic |= is_whole and number == 0 and not in_answer
                mention.weight += fading * weight + (_TOPIC if mention.topic and number == 0 else 0.0)
                mention.last_turn, mention.in_answer = number, in_answer
    return sorted(found, key=lambda one: -one.weight)


def _named(text: str, *, leads: bool) -> Iterator[tuple[str, bool]]:
    """The names in a text, and whether a name is all there is to it. `leads` where it must begin with one."""
    words = read_words(text)
    small = any(word.text[:1].islower() and word.lower not in FUNCTION_WORDS for word in words)
    if any(word.text in _CURRENCIES for word in words[:2]):
        words = []
    begins = bool(words) and words[0].text[:1].isupper() and (words[0].lower not in _SMALL or words[0].lower == "the")
    if begins and len(words) <= _LONGEST_NAME and not small and '"' not in text and "?" not in text:
        yield text.strip(" .,;:!"), True
        return
    # Behind something, a capital is no sign that a sentence begins.
    for name in names(f"- {text}" if leads else text):
        if any(map(str.isalpha, name.text)) and name.text not in _NO_NAMES and name.text.lower() not in _SMALL:
            yield name.text, False


def _same(found: list[Mention], name: str) -> Mention | None:
    """A later "Zappa" is the "Frank Zappa" of before."""
    return next((one for one in found if one.name.lower() == name.lower() or one.shortens_to(name)), None)
