"""Which sentences need no citation: they say what the evidence lacks, or speak of the answer itself."""

import re
from collections.abc import Sequence
from itertools import pairwise

from docmind.domain.verdicts import ClaimKind
from docmind.quality.kinds import kind_of
from docmind.quality.words import DISCOURSE_WORDS, FUNCTION_WORDS

AUXILIARIES = frozenset({
    "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "has", "have", "had", "hasn't", "haven't",
    "will", "won't", "would", "can", "cannot", "can't", "could", "may", "might", "must", "shall", "should", "do",
    "does", "did", "don't", "doesn't", "didn't",
})  # fmt: skip
_FINITE = AUXILIARIES | frozenset({
    "became", "becomes", "began", "begins", "bought", "brought", "came", "comes", "costs", "cut", "dropped", "earns",
    "exceeds", "fell", "falls", "gave", "gives", "gets", "goes", "got", "grew", "grows", "held", "helps", "hit",
    "holds", "includes", "kept", "keeps", "knew", "led", "leads", "left", "lost", "loses", "made", "makes", "means",
    "met", "needs", "offers", "owns", "paid", "pays", "ran", "remains", "requires", "rises", "rose", "runs", "said",
    "saw", "says", "sells", "sent", "shows", "sold", "spent", "stands", "states", "suggests", "takes", "told",
    "took", "uses", "went", "won", "works", "wrote",
})  # fmt: skip
_BEFORE_PARTICIPLES = frozenset({
    "a", "an", "and", "any", "as", "by", "for", "in", "more", "no", "not", "of", "on", "or", "other", "the", "their",
    "these", "this", "to", "with",
})  # fmt: skip
"""After these a word in -ed describes: "of related costs", "as planned"."""


def has_verb(words: Sequence[str]) -> bool:
    """Whether one of these small-letter words is a finite verb; one at the very start makes no sentence of its own."""
    return any(
        word in _FINITE or (word.endswith("ed") and len(word) > 4 and words[n] not in _BEFORE_PARTICIPLES)
        for n, word in enumerate(words[1:])
    )


_WORD = re.compile(r"[^\W_]{1,40}+(?:['’][a-z]{1,3}+)?+")
_HEDGE_CLAUSE_END = re.compile(r"[,;:](?=\s)|\b(?:but|although|though|while|whereas|however)\b")
_JOINT = re.compile(r"\b(?:and|because|since)\b")
_CONTRACTED = re.compile(r"\b(do|does|did|is|are|was|were|could)n['’]t\b")
_NEGATIVES = frozenset({
    "not", "no", "none", "neither", "nothing", "cannot", "can't", "unable", "insufficient", "unclear", "lack",
    "lacks", "silent", "fail", "fails", "difficult", "impossible", "n't",
})  # fmt: skip
"""No hedge does without one of these."""

EVIDENCE = frozenset({
    "passage", "passages", "context", "document", "documents", "evidence", "source", "sources", "text", "texts",
    "excerpt", "excerpts", "section", "sections", "information", "material", "materials", "report", "reports",
    "article", "articles", "filing", "filings",
})  # fmt: skip
_SOURCES = EVIDENCE - {"evidence", "information", "report", "reports", "section", "sections", "text", "texts"}
"""What an answer calls nothing but its evidence."""
_ASKED = frozenset({
    "amount", "amounts", "answer", "breakdown", "cause", "causes", "cost", "costs", "data", "date", "dates", "detail",
    "details", "exact", "explanation", "figure", "figures", "information", "instructions", "level", "name", "names",
    "number", "numbers", "percentage", "price", "prices", "profit", "rate", "rates", "reason", "reasons", "revenue",
    "specific", "specifics", "total", "value", "values",
})  # fmt: skip
"""What a question asks for: of these "is not provided" is said of the evidence, of breakfast it is a fact."""
_SPEAKERS = EVIDENCE | {"i", "i'm", "i’m", "we", "answer", "question"}

_ADVERB = r"(?:explicitly |specifically |directly |clearly )?+"
_LACKING = re.compile(
    r"\b(?:insufficient|not enough|no(?: relevant| specific| direct| clear)?+) (?:evidence|information|data|details?+)"
    r"(?=$|[.!:)]| (?:(?:is |are )?+available|about|on|regarding|for|provided|given|in|to|as to|concerning)\b)"
    r"|\bno (?:direct |explicit |specific )?+mention\b"
    rf"|\bnot {_ADVERB}(?:mentioned|stated|specified|addressed)\b"
    r"|\bunclear from\b|\bcannot be (?:determined|answered|confirmed|established)\b"
    r"|\b(?:not possible|impossible|difficult) to (?:determine|answer|tell|say|(?:give|provide) an)\b"
    r"|\bunable to answer\b"
)
_WITHHELD = re.compile(rf"\bnot {_ADVERB}(?:provided|given|disclosed|available|reported)\b")
_ABSENT = re.compile(rf"\bnot {_ADVERB}(?:found|contained|clear|included|present|covered|discussed|described)\b")
_UNABLE = re.compile(
    r"\b(?:cannot|can't|unable to|could not|did not|do not|not able to) (?:definitively |directly )?+"
    r"(?:answer|determine|confirm|say|tell|provide|find|know|give|see|have enough|have sufficient)\b"
)
_TELL = r"(?:mention|specify|state|address|explain|discuss|describe)"
_HOLD = r"(?:contain|include|cover|give|say|disclose|offer|indicate|answer|report|detail|provide|list|show)"
_SILENT = re.compile(
    rf"\b(?:do|does|did) not (?:{_TELL}|{_HOLD}|\w{{1,20}}+ (?:{_TELL}|{_HOLD}))\b"
    rf"|\blacks?+\b|\b(?:is|are) silent\b|\bfails?+ to (?:{_TELL}|{_HOLD})\b"
)
_ITSELF_SILENT = re.compile(
    rf"\b(?:do|does|did) not (?:{_TELL}\b|\w{{1,20}}+ {_TELL}\b"
    r"|provide (?:\w{1,20}+ )?+(?:\w{1,20}+ )?+(?:information|details?+|instructions|specifics|guidance)\b"
    r"|provide (?:any )?+(?:information|details?+|instructions|specifics|guidance)\b)"
)
_NONE_TELLS = re.compile(
    r"\b(?:none of the|none of these|neither|neither of the|nothing in the|no) (?:provided |given |retrieved )?+"
    r"(?:passages?+|context|documents?+|sources?+|texts?+|excerpts?+|sections?+|articles?+)\b"
)
_PRONOUNS = frozenset(("it", "they", "this", "these"))
_ABOUT = frozenset(("about", "on", "from", "for", "of"))
_BESIDE_EVIDENCE = frozenset({
    "above", "also", "alone", "and", "available", "given", "here", "itself", "or", "provided", "retrieved", "simply",
    "themselves", "you",
})  # fmt: skip
"""What may stand between the evidence and its verb without becoming the subject."""
_FRAMES = frozenset({
    "additionally", "also", "and", "according", "as", "based", "finally", "for", "from", "furthermore", "given",
    "hence", "if", "in", "moreover", "note", "overall", "regarding", "so", "therefore", "thus", "unfortunately",
    "with", "without", "concerning", "sorry",
})  # fmt: skip
"""Words that open a clause which only leads up to the one that says something."""
_HEDGE_CARRIERS = frozenset({
    "additional", "further", "how", "i", "if", "more", "or", "please", "what", "when", "where", "whether", "who",
    "why", "you",
})  # fmt: skip
"""Words that open a clause which carries on a hedge and asserts nothing of the world."""
_LINKS = frozenset(("and", "so", "therefore", "thus", "hence", "then", "because", "since"))
_REPORTED = frozenset(("that", "say", "says", "state", "states", "show", "shows", "suggest", "suggests", "it"))
_SUBJECT_WORDS = 4


def is_hedge(text: str, words: Sequence[str]) -> bool:
    """Whether the first clause that says something says what is lacking, and no other part adds a fact.

    `words` are those of the text in small letters.
    """
    if _NEGATIVES.isdisjoint(words) and "n't" not in text and "n’t" not in text:
        return False
    spoken = _CONTRACTED.sub(r"\1 not", text.lower())
    clauses = [clause for part in _HEDGE_CLAUSE_END.split(spoken) if (clause := part.strip())]
    found = False
    for clause in clauses:
        lacks = _is_lacking(clause)
        if not (lacks or found or _is_frame(clause)):
            return False
        if (_adds_beside if lacks else _adds_fact)(clause):
            return False
        found = found or lacks
    return found


def _is_lacking(clause: str) -> bool:
    if _LACKING.search(clause) or _NONE_TELLS.search(clause):
        return True
    words = _WORD.findall(clause)
    if not _SOURCES.isdisjoint(words) and (_ABSENT.search(clause) or _WITHHELD.search(clause)):
        return True
    if not _ASKED.isdisjoint(words) and _WITHHELD.search(clause):
        return True
    if unable := _UNABLE.search(clause):
        before = _WORD.findall(clause[: unable.start()])
        if not before or before[0] in _FRAMES or not _SPEAKERS.isdisjoint(before):
            return True
    silent = _SILENT.search(clause)
    return silent is not None and _is_said_of_evidence(clause, _WORD.findall(clause[: silent.start()]))


def _is_said_of_evidence(clause: str, subject: list[str]) -> bool:
    """Whether it is the evidence that tells nothing, or a pronoun that can stand for it; not what it reports on."""
    named = max((n for n, word in enumerate(subject) if word in EVIDENCE), default=-1)
    if named >= 0:
        after = subject[named + 1 :]
        return all(word.isdigit() or word in _BESIDE_EVIDENCE for word in after) or after[0] in _ABOUT
    return not _PRONOUNS.isdisjoint(subject[-2:]) and _ITSELF_SILENT.search(clause) is not None


def _is_frame(clause: str) -> bool:
    """Whether a clause only leads up to the next: it opens like one and asserts nothing but of the evidence."""
    words = _WORD.findall(clause)
    if words[-1:] == ["is"] and "answer" in words:
        return True
    return not words or (
        words[0] in _FRAMES and (words[0] == "if" or not EVIDENCE.isdisjoint(words) or not has_verb(words))
    )


def _adds_beside(clause: str) -> bool:
    """Whether a clause that says what is lacking says something else as well, joined to it by a mere "and"."""
    parts = _JOINT.split(clause)
    return len(parts) > 1 and any(
        has_verb(words) and not _is_lacking(part) and not _carries_on(words)
        for part in parts
        if (words := _WORD.findall(part))
    )


def _adds_fact(clause: str) -> bool:
    """Whether a clause beside the one that says what is lacking states a fact."""
    words = _WORD.findall(clause)
    if kind_of(clause) is ClaimKind.QUANTITATIVE:
        return True
    return not _is_frame(clause) and not _carries_on(words) and (has_verb(words) or words[0] in AUXILIARIES)


def _carries_on(words: Sequence[str]) -> bool:
    """Whether a clause only goes on about what is lacking: what could be done, or what the evidence holds instead."""
    first = next((n for n, word in enumerate(words) if word not in _LINKS), len(words))
    if first == len(words) or words[first] in _HEDGE_CARRIERS:
        return True
    subject = words[first : first + _SUBJECT_WORDS]
    return not EVIDENCE.isdisjoint(subject) and _REPORTED.isdisjoint(words)


_ASIDE_CLAUSE_END = re.compile(r"[,;](?=\s)|\b(?:but|although|though|while|whereas|because|since)\b")
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
_ASIDE_CARRIERS = frozenset(("i", "you", "please", "let", "if", "feel", "as", "based", "so"))
_OF_ITSELF = DISCOURSE_WORDS | frozenset({
    "able", "additional", "available", "clarification", "complete", "comprehensive", "conclude", "conclusion",
    "contain", "contained", "contains", "directly", "enough", "explanation", "find", "first", "focus", "focuses",
    "found", "further", "good", "help", "helpful", "helps", "hope", "instructions", "luck", "necessary", "read",
    "reader", "relate", "relates", "relevant", "repeat", "repeats", "required", "response", "second", "section",
    "subject", "sufficient", "third", "topic", "unavailable",
})  # fmt: skip
_NAME = re.compile(r"(?<=\w )[A-Z]\w{1,40}+")
_MOSTLY_OF_ITSELF = 0.65
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
        return not _has_figure(rest) and not _adds_statement(rest)
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
    return not named and own >= _MOSTLY_OF_ITSELF * len(telling)


def _announces(said: str, words: Sequence[str]) -> bool:
    """Whether a line that ends with a colon leaves the saying to what comes below it."""
    if words[-1] in _UNFINISHED or not _ANNOUNCING.isdisjoint(words) or not EVIDENCE.isdisjoint(words[:3]):
        return True
    following = any(pair in _THE_FOLLOWING for pair in pairwise(words))
    return following or _ITEM_COUNT.search(said) is not None


def _has_figure(said: str) -> bool:
    """Whether a quantity is left when the length of the answer and the number of its items are taken away."""
    return kind_of(_ITEM_COUNT.sub(" ", _LENGTH.sub(" ", said))) is ClaimKind.QUANTITATIVE


def _adds_statement(said: str) -> bool:
    """Whether a second clause states something, as in `Here is the answer: they left.`"""
    clauses = [_WORD.findall(clause) for clause in _ASIDE_CLAUSE_END.split(said)[1:]]
    return ": " in said or any(has_verb(words) and words[0] not in _ASIDE_CARRIERS for words in clauses)


def _rests_on_evidence(words: Sequence[str]) -> bool:
    """`These steps are based on the passages`: the answer is the subject, and nothing else is said."""
    for n in range(1, min(_LONGEST_SUBJECT, len(words) - 1)):
        if words[n] == "based" and "on" in words[n + 1 : n + 3] and words[n - 1] in ("is", "are"):
            rest = [word for word in words[n + 2 :] if word not in _CAVEATS]
            return not (_THE_ANSWER.isdisjoint(words[:n]) or EVIDENCE.isdisjoint(rest) or has_verb(rest))
    return False
