"""Which sentences only say what the evidence lacks; one that slips in a fact beside that is none of them."""

import re
from collections.abc import Sequence

from docmind.domain.verdicts import ClaimKind
from docmind.quality.kinds import kind_of
from docmind.quality.verbs import AUXILIARIES, has_verb

_WORD = re.compile(r"[^\W_]{1,40}+(?:['’][a-z]{1,3}+)?+")
_CLAUSE_END = re.compile(r"[,;:](?=\s)|\b(?:but|although|though|while|whereas|however)\b")
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
_CARRIERS = frozenset({
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
    clauses = [clause for part in _CLAUSE_END.split(spoken) if (clause := part.strip())]
    found = False
    for clause in clauses:
        lacks = _is_lacking(clause)
        if not (lacks or found or _is_frame(clause)):
            return False
        if (_adds_beside if lacks else _adds)(clause):
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


def _adds(clause: str) -> bool:
    """Whether a clause beside the one that says what is lacking states a fact."""
    words = _WORD.findall(clause)
    if kind_of(clause) is ClaimKind.QUANTITATIVE:
        return True
    return not _is_frame(clause) and not _carries_on(words) and (has_verb(words) or words[0] in AUXILIARIES)


def _carries_on(words: Sequence[str]) -> bool:
    """Whether a clause only goes on about what is lacking: what could be done, or what the evidence holds instead."""
    first = next((n for n, word in enumerate(words) if word not in _LINKS), len(words))
    if first == len(words) or words[first] in _CARRIERS:
        return True
    subject = words[first : first + _SUBJECT_WORDS]
    return not EVIDENCE.isdisjoint(subject) and _REPORTED.isdisjoint(words)
