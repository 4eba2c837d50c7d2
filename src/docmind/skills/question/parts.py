"""Takes a question apart: cut where another question begins, and each part worded so that it can be searched alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.sentences import split
from docmind.quality.words import FUNCTION_WORDS, words
from docmind.skills.question.comparison import COMPARING, spread
from docmind.skills.question.subject import VERBS, matter, names, subject, times
from docmind.skills.question.words import (
    ASKING,
    AUXILIARIES,
    COPULAS,
    POLITE,
    PREPOSITIONS,
    PRONOUNS,
    REQUESTS,
    Word,
    clean,
    opens,
    read_words,
)

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
        own = _clause_text(sentence, stretch[:framed])
        own = f"{own}," if own and own.lower() not in _EMPTY_FRAMES else ""
        # What stands before the first question holds for the others too, unless they bring their own.
        shared = own or shared
        asked = _without_joint(stretch[framed:])
        yield Clause(_clause_text(sentence, asked), shared, asks=_asks(asked))


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


def _clause_text(sentence: str, words: Sequence[Word]) -> str:
    """The words as they stand, without what closes them off from the next; brackets and quotes are kept whole."""
    if not words:
        return ""
    start = words[0].span.start - len(words[0].opening)
    return sentence[start : words[-1].span.end + len(words[-1].closing.rstrip(",;:.!?… "))].strip()


_SUBJECTS = vocabulary("it they them")
_OWNERS = vocabulary("its their")
_POINTING = vocabulary("this these those that such")
_EXPLETIVE = vocabulary("possible necessary recommended required true safe allowed better best important advisable ok")


def resolve(later: str, earlier: str) -> str:
    """A later clause with what it takes from an earlier one: in place of its pronouns, else in brackets after it."""
    antecedent = subject(earlier)
    words = read_words(later)
    pointing = points_back(later)
    replaced = _replaced(later, words, antecedent) if antecedent else later
    carried: list[str] = []
    if pointing and replaced == later:
        carried += filter(None, [matter(earlier) or antecedent])
    if pointing or replaced != later or not names(replaced):
        carried += _missing(replaced + " " + " ".join(carried), earlier)
    return f"{replaced} ({', '.join(carried)})" if carried else replaced


def points_back(clause: str) -> bool:
    """Whether it speaks of something that was named before it."""
    words = read_words(clause)
    return any(_points(words, at) or word.lower in PRONOUNS for at, word in enumerate(words))


def _missing(clause: str, earlier: str) -> list[str]:
    """Names and times of the earlier clause that this one is silent about."""
    lower = clause.lower()
    named = [name.text for name in names(earlier) if name.text.lower() not in lower]
    timed = [] if times(clause) else [time.text for time in times(earlier)]
    return list(dict.fromkeys([*named, *timed]))


def _replaced(clause: str, words: Sequence[Word], antecedent: str) -> str:
    pieces, end = [], 0
    for at, word in enumerate(words):
        written = _instead(words, at, antecedent)
        if written:
            pieces += [clause[end : word.span.start], written]
            end = word.span.end
    return "".join([*pieces, clause[end:]])


def _instead(words: Sequence[Word], at: int, antecedent: str) -> str:
    lower = words[at].lower
    following = words[at + 1].lower if at + 1 < len(words) else ""
    before = words[at - 1].lower if at else ""
    if not _agrees(lower, antecedent):
        return ""
    if lower in _OWNERS:
        return _owner(antecedent)
    if before in ("do", "doing", "done"):
        return ""
    if lower in _SUBJECTS:
        return "" if following in _EXPLETIVE or (lower == "it" and following in ("take", "mean")) else antecedent
    alone = not following or following in AUXILIARIES or following in PREPOSITIONS or following in VERBS
    alone = alone or (following.endswith("ed") and at + 2 == len(words))
    conjunction = lower == "that" and at and following not in ("", *COPULAS)
    # What a company did can be meant by "this", the company cannot.
    person = any(name.text == antecedent for name in names(antecedent))
    return antecedent if lower in _POINTING - {"such"} and alone and not conjunction and not person else ""


def _agrees(pronoun: str, antecedent: str) -> bool:
    """One thing is "it", several are "they", and a company is either."""
    if names(antecedent):
        return True
    several = antecedent.endswith("s") or not {"and", "or"}.isdisjoint(antecedent.split())
    return pronoun not in (("it", "its") if several else ("they", "them", "their", "these", "those"))


def _owner(antecedent: str) -> str:
    """NVIDIA's inventory levels belong to NVIDIA, and so does what "their" speaks of next."""
    words = read_words(antecedent)
    if words and words[0].is_possessive:
        return words[0].text
    if len(words) > 3:
        return ""
    return antecedent + ("'" if antecedent.endswith("s") else "'s")


def _points(words: Sequence[Word], at: int) -> bool:
    """This shift, these activities, such changes; "do it"; not "the shift that"."""
    lower = words[at].lower
    following = words[at + 1].lower if at + 1 < len(words) else ""
    acted = lower in ("it", "so", "this", "that") and at > 0 and words[at - 1].lower in ("do", "doing")
    named = lower in _POINTING - {"that"} and bool(following) and following not in AUXILIARIES
    timed = following in ("quarter", "quarters", "year", "years", "month", "period", "periods", "10-qs", "10-q")
    return acted or (named and not timed)


MOST_PARTS = 4
"""Searches of one question: what asks for more is asked together at the end."""
_BEGINNERS = ASKING | AUXILIARIES | REQUESTS
_JOINING = COMPARING | POLITE | {"both", "plus", "respectively"}
"""Content to a reader, but to a search of the parts it says only that there are several."""


def parts(question: str) -> list[str]:
    """What to search for, 1 to 4 queries; a question that asks one thing is given back as it is."""
    asked = clean(question)
    if asked != question.strip():
        return [asked]  # not written as a question: its marks mean nothing
    found = _spread(_resolved(_few(clauses(asked))))
    return [asked] if len(found) < 2 or _lost(asked, found) else found


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One of several questions asked in a row."""

    text: str
    """As it was asked."""
    alone: str
    """With what it points back to written out."""


def questions(question: str) -> list[SubQuestion]:
    """The questions that are asked one after the other, each to be answered alone; mostly it is one."""
    asked = clean(question)
    found = _few(clauses(asked))
    alone = [_written(text) for text in _resolved(found)]
    if len(found) < 2 or asked != question.strip() or _lost(asked, alone):
        return [SubQuestion(question, question)]
    return [SubQuestion(_written(clause.whole), text) for clause, text in zip(found, alone, strict=True)]


def _few(found: list[Clause]) -> list[Clause]:
    if len(found) <= MOST_PARTS:
        return found
    first, *others = found[MOST_PARTS - 1 :]
    together = [first.text, *(clause.text if clause.frame == first.frame else clause.whole for clause in others)]
    return [*found[: MOST_PARTS - 1], Clause("; ".join(together), first.frame)]


def _resolved(found: list[Clause]) -> list[str]:
    whole: list[str] = []
    named = ""
    for clause in found:
        text = resolve(clause.text, named) if named else clause.text
        # What speaks of something unnamed itself explains nothing.
        if not points_back(clause.text) or (not named and names(clause.text)):
            named = clause.text
        whole.append(f"{clause.frame} {text}".strip())
    return whole


def _spread(found: list[str]) -> list[str]:
    queries: list[str] = []
    for at, clause in enumerate(found):
        room = MOST_PARTS - len(queries) - (len(found) - at - 1)
        queries += [_written(query) for query in spread(clause, room)]
    return list(dict.fromkeys(queries))


def _written(query: str) -> str:
    """As a question is written: with a capital where that changes no name, and a mark where it asks."""
    query = query.strip(" ,;:.?!")
    read = read_words(query)
    if not read:
        return query
    if read[0].text in _BEGINNERS:
        query = query[:1].upper() + query[1:]
    return query if read[0].lower in REQUESTS | {"i", "we"} else f"{query}?"


def _lost(question: str, found: list[str]) -> bool:
    """Whether some word of the question is in none of its parts."""
    kept = {word.key for query in found for word in words(query)}
    return any(word.key not in kept and word.text.lower() not in _JOINING for word in words(question))
