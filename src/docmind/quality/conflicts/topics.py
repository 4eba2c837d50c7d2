"""The topic of a figure: the key that only figures of the same aspect of the same thing at the same time share."""

from collections.abc import Hashable

from docmind.quality.conflicts.setting import Setting
from docmind.quality.conflicts.times import UNDATED, time_key
from docmind.quality.conflicts.words import specific
from docmind.quality.quantities import Figure

TELLING = 4
"""So many words name a thing by themselves; with fewer the headings above say which one is meant."""
LEAST_UNDATED = 3
"""Telling words that an undated figure needs: "the default is 10" is said of a hundred things."""


def thing(words: frozenset[str], setting: Setting) -> frozenset[str]:
    """What a statement is about: its own words, and those of the short headings above where they are few."""
    own = words - setting.subject or words
    return own if len(specific(own)) >= TELLING else own | setting.part


def figure_topic(words: frozenset[str], figure: Figure, setting: Setting) -> Hashable | None:
    """The topic, or none where the words name nothing or the time stays open."""
    time = time_key(figure.period, setting.edition)
    if time is None or len(specific(words)) < (LEAST_UNDATED if UNDATED in time else 1):
        return None
    quantity = figure.quantity
    measure = quantity.unit or "money", quantity.per, quantity.bound
    return thing(words, setting), time, figure.aspect, measure, setting.modes
