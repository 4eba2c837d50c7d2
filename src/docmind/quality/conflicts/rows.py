"""Figures that table rows state, named by row, column and section."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from docmind.domain.documents import Passage, Span
from docmind.quality.conflicts.setting import Setting
from docmind.quality.conflicts.statement import Statement
from docmind.quality.conflicts.times import without_times
from docmind.quality.conflicts.topics import figure_topic
from docmind.quality.conflicts.words import MOVES, keys, specific
from docmind.quality.quantities import Aspect, Figure, read_table
from docmind.quality.quantities.tokens import Token

LONGEST_NAME = 300
"""Characters; a longer label or header names no figure, it is a text with figures beside it."""

_SHARES = ("%", "percent", "Percent", "as a percent", "As a percent")


def row_figures(setting: Setting) -> Iterator[Statement]:
    """The figures of a passage of table rows whose row, column and time are beyond doubt."""
    passage = setting.passage
    caption = passage.heading[-1] if passage.heading else ""
    figures = read_table(passage.text, caption, offset=passage.span.start)
    dated = any(figure.period is not None for figure in figures)
    lines = _lines(passage)
    for figure in figures:
        quantity = figure.quantity
        long = max(len(figure.label), len(figure.column)) > LONGEST_NAME
        if long or quantity.upper is not None or quantity.approximate or (dated and figure.period is None):
            continue
        label, column = without_times(figure.label), without_times(figure.column)
        words = (*label, *column)
        placed = _placed(figure, words, setting)
        # "% of net sales" is the share of whatever row stands above it.
        named = bool(specific(keys(label))) and not figure.label.rpartition(": ")[2].startswith(_SHARES)
        topic = figure_topic(_distinct(keys(words)), placed, setting) if named else None
        if topic is not None:
            line = lines[bisect_right(lines, figure.span.start, key=lambda one: one.start) - 1]
            known = figure.scale != 1
            yield Statement(topic, quantity, setting, figure.span, line, figure.label, placed.period, known)


def _placed(figure: Figure, words: tuple[Token, ...], setting: Setting) -> Figure:
    changes = any(word.lower in MOVES for word in words)
    aspect = Aspect.CHANGE if changes else figure.aspect
    return replace(figure, aspect=aspect, period=figure.period or setting.period)


def _distinct(words: Iterator[str]) -> frozenset[str]:
    """A word that stands twice counts twice: "assets and liabilities: other assets" is not "…: other liabilities"."""
    return frozenset(f"{word} {count}" if count > 1 else word for word, count in Counter(words).items())


def _lines(passage: Passage) -> list[Span]:
    lines, start = [], passage.span.start
    for line in passage.text.split("\n"):
        lines.append(Span(start, start + len(line)))
        start += len(line) + 1
    return lines
