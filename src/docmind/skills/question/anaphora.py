"""Makes a later part of a question searchable alone: "it" becomes what it stands for, and names are carried on."""

from collections.abc import Sequence

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.names import names
from docmind.skills.question.subject import VERBS, matter, subject
from docmind.skills.question.times import times
from docmind.skills.question.words import (
    AUXILIARIES,
    COPULAS,
    PREPOSITIONS,
    PRONOUNS,
    Word,
    read_words,
)

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
