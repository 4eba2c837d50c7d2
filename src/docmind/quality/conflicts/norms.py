"""Rules that sentences lay down: what one demands, allows or forbids another may not."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from docmind.domain.documents import Span
from docmind.quality.conflicts.setting import Setting
from docmind.quality.conflicts.statement import Stance, Statement
from docmind.quality.conflicts.words import FILLERS, keys, specific
from docmind.quality.quantities.tokens import Token, Tokens, vocabulary
from docmind.quality.sentences import Sentence

_MARKERS = {
    **dict.fromkeys(vocabulary("must shall need required mandatory obligatory compulsory obliged"), Stance.DEMANDS),
    **dict.fromkeys(("may", "can", "allowed", "permitted"), Stance.ALLOWS),
    **dict.fromkeys(("prohibited", "forbidden", "banned", "cannot"), Stance.FORBIDS),
    "optional": Stance.EXEMPTS,
}  # fmt: skip
_DENIED = {
    "must": Stance.FORBIDS, "shall": Stance.FORBIDS, "may": Stance.FORBIDS, "can": Stance.FORBIDS,
    "allowed": Stance.FORBIDS, "permitted": Stance.FORBIDS, "required": Stance.EXEMPTS, "mandatory": Stance.EXEMPTS,
    "need": Stance.EXEMPTS, "obligatory": Stance.EXEMPTS, "compulsory": Stance.EXEMPTS, "obliged": Stance.EXEMPTS,
}  # fmt: skip
OPPOSED = frozenset({
    frozenset({Stance.DEMANDS, Stance.FORBIDS}),
    frozenset({Stance.ALLOWS, Stance.FORBIDS}),
    frozenset({Stance.DEMANDS, Stance.EXEMPTS}),
})  # fmt: skip
"""What cannot both hold."""
_NOT = vocabulary("not never no")
_APOSTROPHES = frozenset("'’")
LEAST_WORDS = 3
LONGEST = 40
"""Tokens; a longer rule has conditions that would have to be understood."""


class _Marker(NamedTuple):
    stance: Stance
    first: int
    end: int


def rules(sentence: Sentence, setting: Setting) -> Iterator[Statement]:
    """The rule of a sentence that lays down one, and says of nothing else that it is not so."""
    lowered = sentence.text.lower()
    tokens = Tokens(sentence.text if any(marker in lowered for marker in _MARKERS) else "")
    if len(tokens) > LONGEST:
        return
    words = [tokens.at(index) for index in range(len(tokens))]
    marker = _marker(words)
    if marker is None:
        return
    rest = [*words[: marker.first], *words[marker.end :]]
    told = tuple(keys(rest, FILLERS))
    if len(specific(told)) < LEAST_WORDS or any(word.lower in _NOT or word.text in _APOSTROPHES for word in rest):
        return
    offset = setting.passage.span.start + sentence.span.start
    yield Statement(
        ("rule", told, setting.modes, setting.periods, setting.edition),
        marker.stance,
        setting,
        Span(offset + words[marker.first].start, offset + words[marker.end - 1].end),
        Span(offset, offset + len(sentence.text)),
    )


def _marker(words: Sequence[Token]) -> _Marker | None:
    """The one word that makes a sentence a rule, with its "not"; two make it another matter."""
    found = [index for index, word in enumerate(words) if word.lower in _MARKERS]
    if len(found) != 1:
        return None
    index = found[0]
    name = words[index].lower
    if name == "can" and [word.lower for word in words[index + 2 : index + 3]] == ["t"]:
        return _Marker(Stance.FORBIDS, index, index + 3)
    for at in (index - 1, index + 1, index - 2):
        if 0 <= at < len(words) and words[at].lower in _NOT and name in _DENIED:
            return _Marker(_DENIED[name], min(at, index), max(at, index) + 1)
    return _Marker(_MARKERS[name], index, index + 1)
