"""Which sentences of an answer assert something, what each is about, and what it cites."""

import re

from docmind.domain.documents import Span
from docmind.domain.verdicts import Claim, ClaimKind, Exemption
from docmind.quality.kinds import kind_of
from docmind.quality.sentences import Sentence, split
from docmind.quality.units import UnitKind

_WORD = re.compile(r"[^\W_]{1,40}+(?:['’][a-z]{1,3}+)?+")
_CLAUSE_END = re.compile(r"[,;:](?=\s)")
_SPACES = re.compile(r"\s++")
_SOURCE_WORDS = frozenset({
    "source", "sources", "reference", "references", "ref", "refs", "citation", "citations", "see", "cited", "from",
})  # fmt: skip

_LACKING = (
    "insufficient evidence", "insufficient information", "insufficient data", "not enough information",
    "not enough evidence", "not enough data", "no information", "no relevant information", "no mention", "no details",
    "not provided", "not specified", "not mentioned", "not stated", "not disclosed", "not given", "not addressed",
    "not explicitly stated", "not explicitly mentioned", "not explicitly provided", "not explicitly specified",
    "not available in", "not found in", "not contained in",
    "cannot be determined", "cannot determine", "cannot be answered", "cannot answer", "can't answer", "cannot say",
    "cannot be confirmed", "cannot confirm", "cannot provide", "unable to answer", "unable to provide",
    "unable to determine", "unable to find", "unable to confirm", "not possible to determine", "not possible to answer",
    "not clear from", "unclear from", "do not know", "don't know", "could not find", "couldn't find", "did not find",
)  # fmt: skip
_EVIDENCE = frozenset({
    "passage", "passages", "context", "document", "documents", "evidence", "source", "sources", "text", "texts",
    "excerpt", "excerpts", "section", "sections", "information", "material", "materials", "report", "reports",
    "article",
})  # fmt: skip
_TELL = r"(?:mention|specify|state|address|explain|discuss|describe|provide)"
_HOLD = r"(?:contain|include|cover|give|say|disclose|offer|indicate|answer|report|detail)"
_SILENT = re.compile(rf"\b(?:do|does|did) not (?:{_TELL}|{_HOLD}|\w{{1,20}}+ (?:{_TELL}|{_HOLD}))\b")
_ITSELF_SILENT = re.compile(rf"\b(?:do|does|did) not (?:{_TELL}|\w{{1,20}}+ {_TELL})\b")
_PRONOUNS = frozenset(("it", "they", "this", "these"))
_FRAMES = frozenset({
    "based", "according", "in", "from", "for", "with", "without", "given", "as", "however", "therefore",
    "unfortunately", "additionally", "thus", "hence", "also", "note", "overall", "finally", "furthermore", "if",
    "moreover", "but", "so", "and",
})  # fmt: skip
"""Words that open a clause which only leads up to the one that says something."""

_PLEASANTRIES = (
    "i hope", "let me know", "please let me know", "feel free", "if you have any", "sure", "certainly", "of course",
    "absolutely", "i'd be happy", "i would be happy", "i'll be happy", "happy to help", "thank you", "thanks for",
    "great question", "good question", "you're welcome", "hope this helps",
)  # fmt: skip
_ANNOUNCING = frozenset({
    "here", "here's", "here’s", "follow", "follows", "following", "below", "steps", "summary", "answer",
})  # fmt: skip
_UNFINISHED = frozenset({
    "are", "is", "were", "was", "be", "include", "includes", "included", "including", "by", "as", "that", "they",
    "of", "on",
})  # fmt: skip
"""Before a colon these leave all the saying to what comes below."""
_LABEL_WORDS = 5
"""A line no longer than this that ends with a colon names what comes below it."""


def claims(answer: str) -> list[Claim]:
    """The claims of an answer in order: its sentences, items and rows, but for questions and mere citations."""
    return [claim for sentence in split(answer) if (claim := _claim(sentence)) is not None]


def _claim(sentence: Sentence) -> Claim | None:
    if sentence.kind in (UnitKind.HEADING, UnitKind.CODE):
        return None
    text = _without_markers(sentence)
    words = [word.lower() for word in _WORD.findall(text)]
    if not words or _SOURCE_WORDS.issuperset(words) or text.rstrip("\"'”’)*_ ").endswith("?"):
        return None
    kind = kind_of(text)
    return Claim(sentence.span, text, kind, sentence.citations, _exemption(sentence.kind, text, words, kind))


def _without_markers(sentence: Sentence) -> str:
    """What the sentence says, on one line, as if it had never cited."""
    kept, position, base = [], 0, sentence.span.start
    for span in dict.fromkeys(marker.span for marker in sentence.citations):
        kept.append(_before(sentence.text[position : span.start - base], sentence.text, span, base))
        position = span.end - base
    kept.append(sentence.text[position:])
    return _SPACES.sub(" ", "".join(kept)).strip()


def _before(text: str, whole: str, marker: Span, base: int) -> str:
    """The text up to a marker, without the space that stood only between it and the marker."""
    after = whole[marker.end - base : marker.end - base + 1]
    return text.rstrip() if after in ("", ".", ",", ";", ":", "!", "?", ")") else text


def _exemption(unit: UnitKind, text: str, words: list[str], kind: ClaimKind) -> Exemption | None:
    if unit is UnitKind.ROW:
        return Exemption.ROW
    if _is_hedge(text):
        return Exemption.HEDGE
    return Exemption.META if _is_meta(text, words, kind) else None


def _is_hedge(text: str) -> bool:
    """Whether the first clause that says something says what is lacking, and no other clause slips in a figure."""
    clauses = [clause for part in _CLAUSE_END.split(text.lower()) if (clause := part.strip())]
    lacking = [_is_lacking(clause) for clause in clauses]
    for clause, lacks in zip(clauses, lacking, strict=True):
        if lacks:
            break
        if _WORD.findall(clause)[:1] and _WORD.findall(clause)[0] not in _FRAMES:
            return False
    others = (clause for clause, lacks in zip(clauses, lacking, strict=True) if not lacks)
    return any(lacking) and not any(kind_of(clause) is ClaimKind.QUANTITATIVE for clause in others)


def _is_lacking(clause: str) -> bool:
    if any(phrase in clause for phrase in _LACKING):
        return True
    words = set(_WORD.findall(clause))
    silent = clause.replace("don't", "do not").replace("doesn't", "does not").replace("didn't", "did not")
    if not words.isdisjoint(_EVIDENCE) and _SILENT.search(silent):
        return True
    return not words.isdisjoint(_PRONOUNS) and _ITSELF_SILENT.search(silent) is not None


def _is_meta(text: str, words: list[str], kind: ClaimKind) -> bool:
    """Whether it speaks of the answer itself; a figure or a date makes it a claim, unless it only announces."""
    if text.endswith(":"):
        announces = words[-1] in _UNFINISHED or not _ANNOUNCING.isdisjoint(words)
        return len(words) <= _LABEL_WORDS or (announces and kind is not ClaimKind.QUANTITATIVE)
    spoken = " ".join(words)
    return kind is ClaimKind.GENERAL and (
        any(spoken.startswith(phrase) for phrase in _PLEASANTRIES) or words[0] in ("here", "here's", "here’s", "below")
    )
