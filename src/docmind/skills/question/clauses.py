"""Cuts a question where another question begins, and only there: conditions and lists stay with what they belong to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.sentences import split
from docmind.quality.vocabulary import FUNCTION_WORDS
from docmind.skills.question.words import ASKING, AUXILIARIES, POLITE, PREPOSITIONS, REQUESTS, Word, opens, read_words

_JOINTS = vocabulary("and or but plus then also & additionally")
_LINKS = POLITE | _JOINTS
_CONDITIONS = vocabulary("if when whenever while unless once because although though given assuming provided")
_FRAMES = PREPOSITIONS | _CONDITIONS | vocabulary("according based comparing considering concerning looking relative")
_EMPTY_FRAMES = frozenset({"if so", "if not", "if yes", "if any", "if no"})
_COURTESY = vocabulary("help know please thanks")
_WONDERING = vocabulary("know understand learn wonder wondering see")
_RELATIVES = vocabulary("that which who whose")


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing asked, with what was said before it that holds for it: "In Q1 2023," or "If I stop it,"."""

    text: str
    frame: str = ""
    asks: bool = True

    @property
    def whole(self) -> str:
        return f"{self.frame} {self.text}".strip()


def clauses(question: str) -> list[Clause]:
    """The things asked, in order. What is merely told stands before the question it leads to."""
    found: list[Clause] = []
    told: list[str] = []
    for sentence in (piece.text for piece in split(question)):
        for clause in _of_sentence(sentence):
            if not clause.asks:
                told.append(clause.whole)
                continue
            frame = " ".join([*told, clause.frame]).strip()
            found.append(Clause(clause.text, frame))
            told = []
    if not told:
        return found
    if not found:
        return [Clause(" ".join(told), asks=False)]
    return [*found[:-1], Clause(" ".join([found[-1].text, *told]), found[-1].frame)]


def _of_sentence(sentence: str) -> Iterator[Clause]:
    words = read_words(sentence)
    if not words:
        return
    shared = ""
    for first, end in _stretches(words):
        stretch = words[first:end]
        framed = frame_length(stretch)
        own = _text(sentence, stretch[:framed])
        own = f"{own}," if own and own.lower() not in _EMPTY_FRAMES else ""
        # What stands before the first question holds for the others too, unless they bring their own.
        shared = own or shared
        asked = _without_joint(stretch[framed:])
        yield Clause(_text(sentence, asked), shared, asks=_asks(asked))


def frame_length(words: Sequence[Word]) -> int:
    """How many words come before the question itself: a place, a time or a condition, up to its comma."""
    if not words or words[0].lower not in _FRAMES:
        return 0
    if len(words) > 1 and words[1].lower in ASKING and words[0].lower in PREPOSITIONS:
        return 0  # "In which year", "To whom"
    if opens(words, 0):
        return 0
    for at in range(1, len(words)):
        if "," in words[at - 1].closing and (opens(words, at) or words[at].lower in AUXILIARIES):
            return at
    return 0


def _stretches(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    first, framed = 0, frame_length(words)
    for at in range(1, len(words)):
        if _begins_another(words, first + framed, at):
            yield first, at
            first, framed = at, frame_length(words[at:])
    yield first, len(words)


def _begins_another(words: Sequence[Word], first: int, at: int) -> bool:
    """Whether, after the question that begins at `first`, another begins at the joint or mark that stands at `at`."""
    marks = words[at - 1].closing
    if "?" in marks or "!" in marks:
        return True
    if words[at - 1].lower in ASKING:
        return False  # "when and where"
    joined = words[at].lower in _JOINTS
    if not joined and not any(mark in marks for mark in ",;"):
        return False
    start = at
    while start < len(words) and words[start].lower in _LINKS:
        start += 1
    if start > at and joined and start < len(words) and words[start].lower in ("as", "in"):
        return False
    left = words[first:at]
    return opens(words, start) and _has_content(left) and _is_question(words, left, start, joined)


def _is_question(words: Sequence[Word], left: Sequence[Word], start: int, joined: bool) -> bool:
    word = words[start].lower
    if not _has_content(words[start : start + 12]):
        return False
    if not joined and not any(inner.lower in AUXILIARIES or inner.lower in REQUESTS for inner in left):
        return False  # "Which changes, if any, did they report"
    if word in REQUESTS:
        return _without_joint(left)[0].lower in REQUESTS
    if word in _RELATIVES and any(inner.lower in _RELATIVES for inner in left[1:]):
        return False  # "policies that apply to contractors and which expire"
    if joined:
        return True
    # "the bucket, which is public" and "the region, where it is stored" go on.
    inverted = start + 1 < len(words) and words[start + 1].lower in AUXILIARIES
    return word not in ("which", "who", "whose") and (word != "where" or inverted)


def _has_content(words: Sequence[Word]) -> bool:
    return any(word.lower not in FUNCTION_WORDS | REQUESTS | _COURTESY for word in words)


def _without_joint(words: Sequence[Word]) -> Sequence[Word]:
    kept = 0
    while kept < len(words) - 1 and words[kept].lower in _LINKS:
        kept += 1
    return words[kept:]


def _asks(words: Sequence[Word]) -> bool:
    within = words[0].lower in PREPOSITIONS and len(words) > 1 and words[1].lower in ASKING
    wondered = any(told.lower in _WONDERING and asked.lower in ASKING for told, asked in pairwise(words[:10]))
    if "!" in words[-1].closing or words[0].lower == "don't":
        return False
    return "?" in words[-1].closing or within or wondered or opens(words, 0) or words[0].lower in AUXILIARIES


def _text(sentence: str, words: Sequence[Word]) -> str:
    """The words as they stand, without what closes them off from the next; brackets and quotes are kept whole."""
    if not words:
        return ""
    start = words[0].span.start - len(words[0].opening)
    return sentence[start : words[-1].span.end + len(words[-1].closing.rstrip(",;:.!?… "))].strip()
