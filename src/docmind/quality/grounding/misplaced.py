"""Finds figures that a claim gives to the wrong thing: to revenue what the evidence says of costs, and the reverse."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from docmind.domain.documents import Span
from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements import Reading, disagreements
from docmind.quality.disagreements.statements import statements
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence
from docmind.quality.grounding.words import Word

Misplaced = tuple[EvidenceSentence, list[Disagreement]]
_MEASURED = frozenset({DisagreementKind.NUMBER, DisagreementKind.UNIT})
_SAME_THING = 0.8
"""Statements that have this much of their words in common, seen from both, are on the same thing."""


def misplaced(
    claim: str, words: tuple[Word, ...], evidence: Evidence, read: Callable[[str], Reading]
) -> Misplaced | None:
    """The sentence that gives another figure to the thing of one of the claim's statements, where none gives the same.

    `words` are those of the claim. A claim that mixes up two things has all its words in the evidence, and the figures
    stand there too: only statement by statement is it seen.
    """
    if not any(word.is_number for word in words):
        return None
    parts = statements(read(claim))
    for part in parts:
        mine = read(part.of(claim))
        against: Misplaced | None = None
        for sentence, span in _on_the_same(_things(words, part), evidence, read):
            found = disagreements(mine, read(span.of(sentence.text)))
            if not found:
                break
            # One statement beside a sentence of one has been read whole before.
            several = len(parts) > 1 or len(span) < len(sentence.text)
            if several and against is None and all(one.kind in _MEASURED for one in found):
                against = sentence, [_moved(one, part.start, span.start) for one in found]
        else:
            if against is not None:
                return against
    return None


def _on_the_same(
    things: set[str], evidence: Evidence, read: Callable[[str], Reading]
) -> Iterator[tuple[EvidenceSentence, Span]]:
    """The statements of the evidence on what a claimed one is on."""
    for sentence in evidence.sentences:
        if not things or not things.issubset(sentence.keys):
            continue
        reading = read(sentence.text)
        for span in () if reading.cells else statements(reading):
            theirs = _things(sentence.words, span)
            if len(things & theirs) >= _SAME_THING * max(len(things), len(theirs)):
                yield sentence, span


def _things(words: tuple[Word, ...], part: Span) -> set[str]:
    return {word.key for word in words if part.start <= word.span.start < part.end and not word.is_number}


def _moved(one: Disagreement, claimed: int, stated: int) -> Disagreement:
    """With its places counted from the beginning of claim and sentence."""
    return replace(
        one,
        claimed=Span(one.claimed.start + claimed, one.claimed.end + claimed),
        stated=Span(one.stated.start + stated, one.stated.end + stated),
    )
