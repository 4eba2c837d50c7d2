"""Figures from sentences: "Revenue rose by 3.7 percent to EUR 601.0 million" tells a change and a level of revenue."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from docmind.domain.documents import Span
from docmind.quality.quantities.figure import Aspect, Figure
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.quantity_parser import PLAIN, Context, Mention, read
from docmind.quality.quantities.tokens import Tokens, vocabulary

_MOVES = vocabulary(
    "rose fell grew increased decreased declined dropped climbed improved shrank jumped gained lost advanced"
)
_STATES = vocabulary(
    "was were is are be been amount amounts amounted totaled totalled reached remained stood came had has covered "
    "exceeded brought made generated reported recorded delivered expect expects employs employed contributed became"
)
_NOT_IN_LABEL = vocabulary(
    "of in to by at for from after with on as than per about approximately over under nearly the a an its our their "
    "this that which who we it they or but while where when also only including during since until between"
)
_CHANGES = frozenset({"increase", "increases", "decrease", "decline", "growth", "rise", "drop", "fall", "reduction"})
_EARLIER = frozenset({"from", "after"})
LONGEST_LABEL = 8
"""Words; a longer subject is cut to those nearest its verb."""
_BACK = 40
"""Tokens looked back for the verb of a clause, so that a text without sentences stays linear."""


def read_prose(text: str, context: Context = PLAIN, *, offset: int = 0, source: str = "") -> list[Figure]:
    """Figures of a stretch of prose, labelled by the nearest noun phrase that they can be about."""
    tokens = Tokens(text)
    starts = [tokens.at(index).start for index in range(len(tokens))]
    mentions = read(text, context)
    figures = []
    for position, mention in enumerate(mentions):
        if isinstance(mention, Period) or mention.unit == "ordinal":
            continue
        index = bisect_left(starts, mention.span.start)
        label, aspect = _label(tokens, index), _aspect(tokens, index)
        if label.split(" ")[-1].lower() in _CHANGES:
            aspect = Aspect.CHANGE
        period = _period(text, mentions, position)
        placed = replace(mention, span=Span(mention.span.start + offset, mention.span.end + offset))
        figures.append(Figure(label, placed, period=period, source=source, aspect=aspect))
    return figures


def _label(tokens: Tokens, index: int) -> str:
    if tokens.at(index - 1).lower == "of":
        return _phrase(tokens, index - 2)
    verb = index - 1
    while verb > max(index - _BACK, 0) and not _ends_sentence(tokens, verb):
        if tokens.at(verb).lower in _MOVES or tokens.at(verb).lower in _STATES:
            return _phrase(tokens, verb - 1) or _phrase(tokens, index - 1)
        verb -= 1
    return _phrase(tokens, index - 1)


def _phrase(tokens: Tokens, last: int) -> str:
    """The words that end at `last`, back to the first that cannot belong to a name of something."""
    while last >= 0 and tokens.at(last).lower in _NOT_IN_LABEL:
        last -= 1
    first = last + 1
    while first > 0 and last - first + 1 < LONGEST_LABEL and _belongs(tokens, first - 1):
        first -= 1
    while first < last and tokens.at(first).lower in ("and", "-", "&"):
        first += 1
    return tokens.text[tokens.at(first).start : tokens.at(last).end] if first <= last else ""


def _belongs(tokens: Tokens, index: int) -> bool:
    token = tokens.at(index)
    if token.text in ("-", "&", "’", "'"):
        return True
    known = token.lower in _NOT_IN_LABEL or token.lower in _STATES or token.lower in _MOVES
    return token.is_word and not known and tokens.at(index + 1).gap != "\n"


def _ends_sentence(tokens: Tokens, index: int) -> bool:
    token, following = tokens.at(index), tokens.at(index + 1)
    return token.text in (".", ";", "!", "?") and bool(following.gap)


def _aspect(tokens: Tokens, index: int) -> Aspect:
    before = tokens.at(index - 1).lower
    if before == "by" or before in _MOVES:
        return Aspect.CHANGE
    told_before = any(tokens.at(at).lower in ("previous", "prior") for at in range(index - 4, index))
    return Aspect.EARLIER if before in _EARLIER or told_before else Aspect.LEVEL


def _period(text: str, mentions: Sequence[Mention], position: int) -> Period | None:
    """The period told after a figure in its sentence, before the next figure; else the last one told before it."""
    figure = mentions[position]
    for step in (1, -1):
        at = position + step
        if 0 <= at < len(mentions):
            other = mentions[at]
            between = text[min(figure.span.end, other.span.end) : max(figure.span.start, other.span.start)]
            if isinstance(other, Period) and not _parts_sentences(between):
                return other.key
    return None


def _parts_sentences(between: str) -> bool:
    return any(mark in between for mark in (". ", ".\n", "; ", "? ", "! "))
