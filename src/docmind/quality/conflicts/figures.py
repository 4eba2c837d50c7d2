"""Figures that sentences state, each with the words that say what it is a figure of."""

from collections.abc import Iterator
from dataclasses import replace

from docmind.domain.documents import Span
from docmind.quality.conflicts.clause import Clauses
from docmind.quality.conflicts.setting import Setting
from docmind.quality.conflicts.statement import Statement
from docmind.quality.conflicts.topics import figure_topic
from docmind.quality.conflicts.words import FALLS, RISES, keys, specific
from docmind.quality.quantities import Aspect, Bound, Figure, read_prose
from docmind.quality.quantities.tokens import Token, Tokens, vocabulary
from docmind.quality.quantities.units import SCALES
from docmind.quality.quantities.words import SMALL
from docmind.quality.sentences import Sentence

_COMPARES = vocabulary("compared versus vs against than from after previously")
_PARTS = vocabulary("including which includes included excluding")
"""Before a figure these make it a part of the one that the sentence is about."""
_NORMS = vocabulary("must shall required may can cannot allowed permitted limit limited maximum minimum entitled")
_DURATIONS = frozenset({"second", "month"})
_NEAR = 4


def stated_figures(sentence: Sentence, clauses: Clauses, setting: Setting) -> Iterator[Statement]:
    """The figures of a sentence whose thing, time and aspect are beyond doubt."""
    lowered = sentence.text.lower()
    if not clauses.mentions:
        return
    listed = clauses.listed()
    if not listed and "respectively" in lowered:
        return
    norm = not _NORMS.isdisjoint(lowered.split())
    offset = setting.passage.span.start + sentence.span.start
    for figure in read_prose(sentence.text):
        alone = figure.span in listed or not clauses.in_list(figure.span)
        if not alone or clauses.in_brackets(figure.span) or not _is_plain(figure):
            continue
        period = listed.get(figure.span)
        placed = replace(figure, period=period) if period else _in_time(figure, clauses, setting)
        if placed is None or not (norm or _is_measured(placed)):
            continue
        # What a list is of is told before its first figure and after its last.
        words = clauses.around(max(listed) if listed else figure.span)
        told = frozenset(keys((*words, *_counted(figure))))
        topic = figure_topic(told, placed, setting)
        if topic is not None:
            span = Span(figure.span.start + offset, figure.span.end + offset)
            quote = Span(offset, offset + len(sentence.text))
            sign = _direction(placed, clauses)
            value = replace(figure.quantity, value=figure.quantity.value * (sign or 1))
            name = _name(figure, words)
            yield Statement(topic, value, setting, span, quote, name, placed.period, directed=sign is not None)


def _counted(figure: Figure) -> Iterator[Token]:
    """The words of "2,946 full-time employees" that tell what is counted."""
    tokens = Tokens(figure.quantity.text) if figure.quantity.counted else Tokens("")
    for index in range(len(tokens)):
        token = tokens.at(index)
        if token.is_word and token.lower not in SMALL and token.lower not in SCALES:
            yield token


def _name(figure: Figure, words: list[Token]) -> str:
    """The noun phrase before the figure, where it says anything of what the clause speaks of."""
    telling = any(word.lower in figure.label.lower() for word in words if specific(keys([word])))
    return figure.label if telling else ""


def _is_plain(figure: Figure) -> bool:
    """Whether the figure is a value and not a range, an estimate or a place in an order."""
    quantity = figure.quantity
    return quantity.upper is None and not quantity.approximate and quantity.unit != "ordinal"


def _is_measured(figure: Figure) -> bool:
    """Whether it is a value of something at a time, or in a unit: limits and bare numbers count only in rules."""
    quantity = figure.quantity
    # "Three million" has its scale, "three" is as bare as 3.
    bare = quantity.bare or (quantity.step == 1 and not quantity.unit and not quantity.counted)
    return quantity.bound is Bound.EXACT and (figure.period is not None or not bare)


def _in_time(figure: Figure, clauses: Clauses, setting: Setting) -> Figure | None:
    """The figure with its period; none where that is not clear or the figure is told only for comparison."""
    before = clauses.before(figure.span, 2)
    if not _PARTS.isdisjoint(before):
        return None
    # What happens "after 6 months" is compared with nothing.
    compared = figure.aspect is Aspect.EARLIER or not _COMPARES.isdisjoint(before)
    compared = compared and figure.quantity.unit not in _DURATIONS
    following, preceding = clauses.periods_beside(figure.span)
    if compared and following is None:
        return None
    period = following or preceding
    if period is None:
        named = clauses.periods() or setting.periods
        if len(named) > 1:
            return None
        period = next(iter(named), setting.edition)
    return replace(figure, period=period, aspect=Aspect.LEVEL if compared else figure.aspect)


def _direction(figure: Figure, clauses: Clauses) -> int | None:
    """Which way a change goes, where the words before it say so."""
    if figure.aspect is Aspect.CHANGE:
        for word in clauses.before(figure.span, _NEAR):
            if word in RISES or word in FALLS:
                return 1 if word in RISES else -1
    return None
