"""Dates that sentences give for an event: when something closed, begins or falls due."""

from collections.abc import Iterator

from docmind.domain.documents import Span
from docmind.quality.conflicts.clause import Clauses
from docmind.quality.conflicts.setting import Setting
from docmind.quality.conflicts.statement import Statement
from docmind.quality.conflicts.topics import thing
from docmind.quality.conflicts.words import keys, specific
from docmind.quality.quantities import Period
from docmind.quality.sentences import Sentence

_SIDES = {
    "on": "on", "in": "on", "is": "on", "was": "on", "for": "on", "effective": "from", "from": "from", "since": "from",
    "by": "by", "before": "by", "until": "until", "till": "until", "through": "until", "after": "after",
}  # fmt: skip
"""What the word before a date makes of it; after others, such as "as of" and "ended", it dates no event."""
LEAST_WORDS = 3
"""Telling words that name an event."""


def event_dates(sentence: Sentence, clauses: Clauses, setting: Setting) -> Iterator[Statement]:
    """The date of a sentence that gives one and no figure."""
    if len(clauses.mentions) != 1 or not isinstance(clauses.mentions[0], Period):
        return
    date = clauses.mentions[0]
    before = clauses.before(date.span, 1)
    side = _SIDES.get(before[0]) if before else None
    if side is None or date.months is not None or date.fiscal or date.year is None or clauses.in_brackets(date.span):
        return
    words = clauses.around(date.span)
    told = frozenset(keys(words))
    # "In 2023 we opened a shop" can be true of two years; "the shop was opened in 2023" cannot.
    if len(specific(told)) < LEAST_WORDS or (date.month is None and clauses.index(date.span) <= 1):
        return
    offset = setting.passage.span.start + sentence.span.start
    yield Statement(
        ("date", thing(told, setting), side, setting.modes, setting.periods, setting.edition),
        date,
        setting,
        Span(date.span.start + offset, date.span.end + offset),
        Span(offset, offset + len(sentence.text)),
    )
