"""What a pointing word stands for, chosen from what the conversation named and asked."""

from collections.abc import Collection, Sequence

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.dialogue.foreground import asked_about
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.mentions import Mention, mentions
from docmind.skills.dialogue.pointers import Kind, Pointer, pointers
from docmind.skills.question.names import names
from docmind.skills.question.words import read_words

_WHO = vocabulary("who whom whose name names")
_LEADING = 25
"""Characters of an answer before a name that it still begins with."""
_PERSONAL: frozenset[Kind] = frozenset({"he", "she"})


class Antecedents:
    """What the words of a question can stand for, after these turns."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._newest = len(history.turns) - 1
        self._found = mentions(history)
        _learn(self._found, history)
        self.topic = next((mention for mention in self._found if mention.topic), None)

    def of(self, pointer: Pointer, *, without: Collection[str] = ()) -> str:
        """The name or phrase that the word stands for; empty where nothing fits. `without` are spoken for already."""
        found = [mention for mention in self._found if mention.name not in without]
        match pointer.kind:
            case "he" | "she":
                return self._person(pointer.kind, found)
            case "they" if not pointer.noun:
                return self._several(found)
            case "it":
                return self._thing(found)
            case "there":
                return self._place(found)
            case _:
                return self._brought_up(found) if pointer.noun else ""

    def fuller(self, name: str) -> str:
        """The fullest name that was used for what has this one."""
        longer = [one.name for one in self._found if (one.topic or one.can_be_person) and one.shortens_to(name)]
        return longer[0] if len(longer) == 1 else name

    def _person(self, kind: Kind, found: Sequence[Mention]) -> str:
        people = [mention for mention in found if mention.can_be_person and not mention.is_several]
        fitting = [one for one in people if kind in one.kinds or not (_PERSONAL - {kind}) & one.kinds]
        asked_who = not _WHO.isdisjoint(word.lower for word in read_words(self._history.turns[-1].question))
        named = [mention for mention in fitting if asked_who and self._is_the_answer(mention)]
        return (named or fitting)[0].name if fitting else ""

    def _several(self, found: Sequence[Mention]) -> str:
        if self.topic in found and self.topic is not None and not _PERSONAL & self.topic.kinds:
            return self.topic.name
        asked = self._asked_about()
        if asked and is_plural(asked):
            return asked
        groups = [mention for mention in found if mention.is_several]
        if groups:
            return groups[0].name
        people = [mention for mention in found if mention.can_be_person]
        other = next((one for one in people[1:] if one.last_turn == self._newest and len(one.words) > 1), None)
        return f"{people[0].name} and {other.name}" if other is not None and _PERSONAL & people[0].kinds else ""

    def _thing(self, found: Sequence[Mention]) -> str:
        """What the newest answer brought up, else what was asked about, else what all is about."""
        things = [mention for mention in found if not _PERSONAL & mention.kinds]
        if brought_up := self._brought_up(things):
            return brought_up
        last = self._history.turns[-1].question
        named = [one for one in things if one.last_turn == self._newest and one.name in last and not one.topic]
        if named:
            return named[0].name
        asked = self._asked_about()
        if asked and not is_plural(asked):
            return asked
        return things[0].name if things else ""

    def _place(self, found: Sequence[Mention]) -> str:
        """The newest name that stands behind "in" or "at", or the newest name at all."""
        newest = [one for one in found if one.last_turn == self._newest] or list(found)
        said = " ".join(f"{turn.question} {turn.answer}" for turn in self._history.turns[-1:])
        placed = [one for one in newest if f"in {one.name}" in said or f"at {one.name}" in said]
        return (placed or newest)[0].name if newest else ""

    def _brought_up(self, found: Sequence[Mention]) -> str:
        """A name that the newest answer begins with and no question has used, in small letters either."""
        last = self._history.turns[-1] if self._history else None
        answer, asked = (last.answer, last.question.lower()) if last else ("", "")
        for mention in found:
            new = mention.in_answer and mention.last_turn == self._newest and not mention.topic
            if (
                new
                and mention.name.lower() not in asked
                and answer.find(mention.name, 0, _LEADING + len(mention.name)) >= 0
            ):
                return mention.name
        return ""

    def _asked_about(self) -> str:
        """What the newest question that has one asked about."""
        return next(filter(None, (asked_about(turn.question) for turn in reversed(self._history.turns))), "")

    def _is_the_answer(self, mention: Mention) -> bool:
        """Whether the newest answer was hardly more than the name."""
        newest = mention.in_answer and mention.last_turn == self._newest
        return newest and len(read_words(self._history.turns[-1].answer)) <= len(mention.words) + 3


def _learn(found: Sequence[Mention], history: History) -> None:
    """Which pronouns each went by: in questions that were understood by its name, and in answers that name nobody."""
    topic = next((mention for mention in found if mention.topic), None)
    for turn in history.turns:
        used = {pointer.kind for pointer in pointers(turn.asked)}
        for mention in found if used else ():
            if mention.name in turn.question and mention.name not in turn.asked:
                mention.kinds |= used
        if topic is not None and turn.answer and not names(turn.answer):
            topic.kinds |= {pointer.kind for pointer in pointers(turn.answer)} & _PERSONAL


def is_plural(phrase: str) -> bool:
    words = [word.lower for word in read_words(phrase) if word.lower not in FUNCTION_WORDS]
    return bool(words) and words[-1].endswith("s") and not words[-1].endswith(("ss", "us", "is"))
