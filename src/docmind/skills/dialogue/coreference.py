"""What pointing words stand for: the names to put in their place, or something that nobody has named."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import FUNCTION_WORDS, base_form, words
from docmind.skills.dialogue.history import History
from docmind.skills.dialogue.pointers import Kind, Pointer, asked_about, pointers
from docmind.skills.question.subject import VERBS, names
from docmind.skills.question.words import ASKING, AUXILIARIES, DETERMINERS, PREPOSITIONS, Word, read_words

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
                mention = _same_mention(found, name)
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


def _same_mention(found: list[Mention], name: str) -> Mention | None:
    """A later "Zappa" is the "Frank Zappa" of before."""
    return next((one for one in found if one.name.lower() == name.lower() or one.shortens_to(name)), None)


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


def with_names(question: str, history: History) -> str:
    """The question with each pointing word replaced that something fits; once it is named, "her" is clear."""
    antecedents = Antecedents(history)
    words = read_words(question)
    changes: list[tuple[int, int, str]] = []
    said: dict[str, str] = {}
    for pointer in pointers(question):
        written = antecedents.of(pointer, without=set(said.values())) if pointer.kind not in said else ""
        if written and written.lower() not in question.lower():
            said[pointer.kind] = written
            changes.append(
                (words[pointer.start].span.start, words[pointer.end - 1].span.end, _placed(pointer, written))
            )
    for name in names(question):
        if (fuller := antecedents.fuller(name.text)) != name.text and fuller.lower() not in question.lower():
            changes.append((name.span.start, name.span.end, fuller))
    return _changed(question, changes)


def _changed(question: str, changes: list[tuple[int, int, str]]) -> str:
    for start, end, written in sorted(changes, reverse=True):
        question = question[:start] + written + question[end:]
    return question


def _placed(pointer: Pointer, written: str) -> str:
    if pointer.kind == "there":
        return f"in {written}"
    if pointer.noun:
        return f"the {pointer.noun} {written}"
    if not pointer.owns:
        return written
    return f"{written}'" if written.endswith("s") else f"{written}'s"


_LONGEST_THING = 4
_THING_ENDS = PREPOSITIONS | AUXILIARIES | DETERMINERS | ASKING | VERBS | vocabulary("of and or but that if too also")
_TELLING = vocabulary("of that which who for between about")
"""Behind a phrase these say which one it is."""
_SINGLE = vocabulary(
    "same other only first second third last next previous former latter best most least whole rest end beginning "
    "future past present time way world internet sun moon"
)
"""Of these there is one, or the word itself says which."""


def pointed_at(message: str, history: History) -> str:
    """The thing that "this" or "those" is said of, where the conversation has not named any; empty where it has."""
    said = _words_said(history)
    # "Those open" are not called open: a word that does not agree in number is no name of what is pointed at.
    agreeing = (one.noun for one in pointers(message) if one.noun and is_plural(one.noun) == (one.kind == "they"))
    return next((noun for noun in agreeing if noun not in FUNCTION_WORDS and _is_new(noun, said)), "")


def taken_as_known(message: str, history: History) -> str:
    """The one thing that "the" is said of with nothing to tell which, where the conversation has not named any."""
    said, phrases = _words_said(history), _things_with_the(read_words(message))
    return next((phrase for phrase in phrases if _is_new(phrase, said) and not is_plural(phrase)), "")


def _words_said(history: History) -> set[str]:
    turns = (f"{turn.asked} {turn.question} {turn.answer}" for turn in history.turns)
    return {word.key for word in words(" ".join((history.earlier, *turns)))}


def _is_new(phrase: str, said: set[str]) -> bool:
    keys = {word.key for word in words(phrase)}
    return bool(keys) and keys.isdisjoint(said)


def _things_with_the(read: Sequence[Word]) -> Iterator[str]:
    """What stands behind each "the", up to whose it is: of the hurricane's impact, the hurricane."""
    for at, word in enumerate(read):
        if word.lower != "the":
            continue
        end = _phrase_end(read, at + 1)
        phrase = read[at + 1 : end]
        told = end < len(read) and not read[end - 1].closing and read[end].lower in _TELLING
        if not phrase or told or any(_tells_which(one) for one in phrase):
            continue
        owner = next((place for place, one in enumerate(phrase) if one.is_possessive), len(phrase) - 1)
        yield " ".join(one.bare for one in phrase[: owner + 1])


def _phrase_end(read: Sequence[Word], start: int) -> int:
    end = start
    while end < min(len(read), start + _LONGEST_THING) and read[end].lower not in _THING_ENDS:
        if end > start and _is_done(read[end].lower):
            break
        end += 1
        if read[end - 1].closing:
            break
    return end


def _is_done(word: str) -> bool:
    """Launched, born: what is told of the thing, not a part of its name."""
    # The base form of a word is without its last e, so that this tells nothing of a word that ends in one.
    return word == "born" or (base_form(word) != word and not word.endswith(("s", "ing", "e")))


def _tells_which(word: Word) -> bool:
    """Whether a word tells which one is meant by itself."""
    return word.text[:1].isupper() or any(map(str.isdigit, word.text)) or word.lower in _SINGLE
