"""Which sentences of an answer assert something, what each is about, what introduces it, and what it cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.verdicts import CitationMarker, Claim, ClaimKind, Exemption
from docmind.quality.exemptions import is_aside, is_hedge, is_label, states_figure
from docmind.quality.kinds import kind_of
from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import Sentence, split

_LONGEST_LEAD = 300
"""What is longer introduces nothing, and would be read again with each of its items."""
_ANNOUNCED = (":", " as follows.", " below.", " include", " includes", " are", " is")


@dataclass(frozen=True, slots=True)
class Lead:
    text: str = ""
    citations: tuple[CitationMarker, ...] = ()

    def then(self, other: "Lead") -> "Lead":
        text = f"{self.text} {other.text}".strip()
        return Lead(text if len(text) <= _LONGEST_LEAD else other.text, other.citations or self.citations)


_NO_LEAD = Lead()


class Leads:
    """Follows the sentences of an answer in order and knows what introduces the next one."""

    def __init__(self) -> None:
        self._intro = self._head = _NO_LEAD
        self._parents: list[tuple[int, Lead]] = []
        """The items that are still open, outermost first, each with its indentation and what it leads its own with."""

    def of(self, sentence: Sentence, text: str) -> Lead:
        """What introduces this sentence, whose text without its markers is `text`."""
        said = Lead(text, sentence.citations) if len(text) <= _LONGEST_LEAD else _NO_LEAD
        match sentence.kind:
            case UnitKind.ITEM:
                return self._item(sentence.indent, said)
            case UnitKind.ROW:
                return self._intro.then(self._head)
            case UnitKind.HEADING if "|" in text:
                self._head = said
            case UnitKind.HEADING:
                self._intro, self._head = said, _NO_LEAD
            case UnitKind.PROSE if text.rstrip("*_ ").endswith(_ANNOUNCED):
                self._intro, self._head = said, _NO_LEAD
            case _:
                self._intro = self._head = _NO_LEAD
        self._parents.clear()
        return _NO_LEAD

    def _item(self, indent: int, said: Lead) -> Lead:
        while self._parents and self._parents[-1][0] >= indent:
            self._parents.pop()
        lead = self._intro.then(self._parents[-1][1]) if self._parents else self._intro
        self._parents.append((indent, said))
        return lead


_WORD = re.compile(r"[^\W_]{1,40}+(?:['’][a-z]{1,3}+)?+")
_NEAR = 24
"""Claims below a line in bold among which it may stand again."""
_SPACES = re.compile(r"\s++")
_CLOSING_MARKS = "\"'”’)*_ 」』"
_QUESTION_MARKS = ("?", "？", "؟")
_SOURCE_WORDS = frozenset({
    "source", "sources", "reference", "references", "ref", "refs", "citation", "citations", "see", "cited", "from",
})  # fmt: skip


def claims(answer: str) -> list[Claim]:
    """The claims of an answer in order: its sentences, items and rows, but for titles, questions and mere citations.

    A line in bold that stands again in a claim below it, as a direct answer does, is checked there.
    """
    found, leads = [], Leads()
    for sentence in split(answer):
        text = _without_markers(sentence)
        lead = leads.of(sentence, text)
        if (claim := _claim(sentence, text, lead)) is not None:
            found.append(claim)
    return [claim for at, claim in enumerate(found) if not _is_said_again(claim, found[at + 1 : at + 1 + _NEAR])]


def places(answer: str, claim: Claim) -> list[int]:
    """For each character of the claim's text where it stands in the answer, and at the end where the claim ends."""
    markers = {marker.span for marker in claim.citations if answer[marker.span.start] in "[("}
    removed = {place for span in markers for place in range(span.start, span.end)}
    found: list[int] = []
    for place in range(claim.span.start, claim.span.end):
        if len(found) == len(claim.text):
            break
        wanted, here = claim.text[len(found)], answer[place]
        if place not in removed and (here == wanted or (wanted == " " and here.isspace())):
            found.append(place)
    return [*found, claim.span.end]


def _claim(sentence: Sentence, text: str, lead: Lead) -> Claim | None:
    words = [word.lower() for word in _WORD.findall(text)]
    if sentence.kind is UnitKind.CODE or not words or _SOURCE_WORDS.issuperset(words):
        return None
    if text.rstrip(_CLOSING_MARKS).endswith(_QUESTION_MARKS):
        return None
    kind = kind_of(text)
    if _is_title(sentence.kind, text, words, kind):
        return None
    exemption = _exemption(sentence.kind, text, words, kind)
    return Claim(sentence.span, text, kind, sentence.citations or lead.citations, exemption, lead.text)


def _is_said_again(claim: Claim, below: Sequence[Claim]) -> bool:
    if not claim.text.startswith("**") or not claim.text.endswith("**"):
        return False
    said = claim.text.strip("*").casefold()
    return any(said in other.text.casefold() for other in below)


def _is_title(unit: UnitKind, text: str, words: list[str], kind: ClaimKind) -> bool:
    """Whether it names what comes below it; a heading that is a statement with a figure must be checked like any."""
    if unit is UnitKind.HEADING:
        return "|" in text or not states_figure(words, kind)
    return unit is not UnitKind.ROW and is_label(text, words)


def _without_markers(sentence: Sentence) -> str:
    """What the sentence says, on one line, without its brackets; "Passage 2 states" is part of what it says."""
    said, position, base = "", 0, sentence.span.start
    for span in dict.fromkeys(marker.span for marker in sentence.citations):
        if sentence.text[span.start - base] not in "[(":
            continue
        said += sentence.text[position : span.start - base]
        position = span.end - base
        if _closes(sentence.text[position:]):
            said = said.rstrip()
    return _SPACES.sub(" ", said + sentence.text[position:]).strip()


def _closes(after: str) -> bool:
    """Whether nothing but punctuation stands behind a marker: the space before it was only between it and the words."""
    return after[:1] in ("", ".", ",", ";", ":", "!", "?", ")")


def _exemption(unit: UnitKind, text: str, words: list[str], kind: ClaimKind) -> Exemption | None:
    if unit is UnitKind.ROW:
        return Exemption.ROW
    if is_hedge(text, words):
        return Exemption.HEDGE
    return Exemption.META if is_aside(text, words, kind) else None
