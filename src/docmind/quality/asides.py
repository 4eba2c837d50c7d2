"""Which sentences speak of the answer itself: they announce, explain or close it, and assert nothing of the world."""

import re
from collections.abc import Sequence
from itertools import pairwise

from docmind.domain.verdicts import ClaimKind
from docmind.quality.hedges import EVIDENCE
from docmind.quality.kinds import kind_of
from docmind.quality.verbs import has_verb
from docmind.quality.vocabulary import DISCOURSE_WORDS, FUNCTION_WORDS

_WORD = re.compile(r"[^\W_]{1,40}+(?:['’][a-z]{1,3}+)?+")
_CLAUSE_END = re.compile(r"[,;](?=\s)|\b(?:but|although|though|while|whereas|because|since)\b")
_LENGTH = re.compile(r"\b[0-9]{1,4}+ (?:words?+|sentences?+|characters?+|paragraphs?+|bullet points?+)\b")
_ITEMS = (
    r"(?:ways?+|steps|methods|reasons|types|kinds|points|options|tips|things|examples|causes|factors|benefits|stages)"
)
_ITEM_COUNT = re.compile(
    r"\b(?:[0-9]{1,2}+|two|three|four|five|six|seven|eight|nine|ten|several|various|some|a few|many) "
    rf"(?:{_ITEMS}|\w{{1,20}}+ {_ITEMS})\b"
)
_INTERJECTIONS = re.compile(
    r"(?:sure(?: thing)?+|certainly|of course|absolutely|great|okay|ok|(?:great|good) question|thank you|thanks)"
    r"(?:[!.,:—–-]\s*+|$)"
)
_OPENINGS = (
    "here is", "here are", "here's", "here’s", "below is", "below are", "the following is",
    "i hope", "hope this", "let me know", "please let me know", "feel free", "i'd be happy", "i’d be happy",
    "i would be happy", "i'll be happy", "i’ll be happy", "i'm happy", "i’m happy", "happy to help", "thank you",
    "thanks for", "great question", "good question", "you're welcome", "you’re welcome", "that's it", "that’s it",
    "if you have any questions", "if you have any other questions", "if you have any further questions",
    "if you have any more questions", "if you have any concerns", "if you need", "if you'd like", "if you would like",
    "please provide", "please clarify", "i can help",
)  # fmt: skip
_ANNOUNCING = frozenset({
    "here", "here's", "here’s", "follow", "follows", "below", "steps", "summary", "answer", "answers", "these",
})  # fmt: skip
_UNFINISHED = frozenset({
    "are", "is", "were", "was", "be", "include", "includes", "included", "including", "by", "as", "that", "they",
    "of", "on", "either", "to", "for", "like",
})  # fmt: skip
"""Before a colon these leave all the saying to what comes below."""
_THE_ANSWER = frozenset({
    "answer", "answers", "explanation", "guidelines", "guide", "instructions", "response", "steps", "summary",
})  # fmt: skip
_THE_FOLLOWING = frozenset((("the", "following"), ("by", "following"), ("these", "following")))
_CAVEATS = frozenset({
    "may", "might", "can", "could", "detailed", "limited", "provided", "given", "required", "retrieved",
})  # fmt: skip
_CARRIERS = frozenset(("i", "you", "please", "let", "if", "feel", "as", "based", "so"))
_OF_ITSELF = DISCOURSE_WORDS | frozenset({
    "able", "additional", "available", "clarification", "complete", "comprehensive", "conclude", "conclusion",
    "contain", "contained", "contains", "directly", "enough", "explanation", "find", "first", "focus", "focuses",
    "found", "further", "good", "help", "helpful", "helps", "hope", "instructions", "luck", "necessary", "read",
    "reader", "relate", "relates", "relevant", "repeat", "repeats", "required", "response", "second", "section",
    "subject", "sufficient", "third", "topic", "unavailable",
})  # fmt: skip
_NAME = re.compile(r"(?<=\w )[A-Z]\w{1,40}+")
_MOST = 0.65
_LONGEST_SUBJECT = 10
_LONGEST_LABEL = 5
"""A line of no more words than this that ends with a colon names what comes below it."""


def is_label(text: str, words: Sequence[str]) -> bool:
    """Whether it is a title that ends with a colon: a few words without a verb."""
    return text.rstrip("*_ ").endswith(":") and len(words) <= _LONGEST_LABEL and not has_verb(words)


def states_figure(words: Sequence[str], kind: ClaimKind) -> bool:
    """Whether words that look like a title are a statement all the same: they have a verb and a figure or a date."""
    return kind in (ClaimKind.QUANTITATIVE, ClaimKind.TEMPORAL) and has_verb(words)


def is_aside(text: str, words: Sequence[str], kind: ClaimKind) -> bool:
    """Whether a sentence only speaks of the answer; a figure makes it a claim, unless it counts what is to come."""
    said = text.lower().strip("*_ ")
    if said.endswith(":"):
        return _announces(said, words) and (kind is not ClaimKind.QUANTITATIVE or not _has_figure(said))
    interjection = _INTERJECTIONS.match(said)
    rest = said[interjection.end() :] if interjection else said
    if not rest.strip(" !."):
        return True
    if rest.startswith(_OPENINGS):
        return not _has_figure(rest) and not _adds(rest)
    if said.endswith(("as follows.", "below.", "above.")):
        return kind is ClaimKind.GENERAL and not _THE_ANSWER.isdisjoint(words)
    return (_rests_on_evidence(words) or _speaks_of_itself(text, words)) and not _has_figure(rest)


def _speaks_of_itself(text: str, words: Sequence[str]) -> bool:
    """Whether most of it is said in words that answers speak of themselves with, and nobody is named."""
    # What stands in brackets tells of a claim where it was found.
    if "(" in text:
        return False
    telling = [word for word in words if word not in FUNCTION_WORDS]
    own = sum(word in _OF_ITSELF for word in telling)
    named = any(name.lower() not in _OF_ITSELF for name in _NAME.findall(text))
    return not named and own >= _MOST * len(telling)


def _announces(said: str, words: Sequence[str]) -> bool:
    """Whether a line that ends with a colon leaves the saying to what comes below it."""
    if words[-1] in _UNFINISHED or not _ANNOUNCING.isdisjoint(words) or not EVIDENCE.isdisjoint(words[:3]):
        return True
    following = any(pair in _THE_FOLLOWING for pair in pairwise(words))
    return following or _ITEM_COUNT.search(said) is not None


def _has_figure(said: str) -> bool:
    """Whether a quantity is left when the length of the answer and the number of its items are taken away."""
    return kind_of(_ITEM_COUNT.sub(" ", _LENGTH.sub(" ", said))) is ClaimKind.QUANTITATIVE


def _adds(said: str) -> bool:
    """Whether a second clause states something, as in `Here is the answer: they left.`"""
    clauses = [_WORD.findall(clause) for clause in _CLAUSE_END.split(said)[1:]]
    return ": " in said or any(has_verb(words) and words[0] not in _CARRIERS for words in clauses)


def _rests_on_evidence(words: Sequence[str]) -> bool:
    """`These steps are based on the passages`: the answer is the subject, and nothing else is said."""
    for n in range(1, min(_LONGEST_SUBJECT, len(words) - 1)):
        if words[n] == "based" and "on" in words[n + 1 : n + 3] and words[n - 1] in ("is", "are"):
            rest = [word for word in words[n + 2 :] if word not in _CAVEATS]
            return not (_THE_ANSWER.isdisjoint(words[:n]) or EVIDENCE.isdisjoint(rest) or has_verb(rest))
    return False
