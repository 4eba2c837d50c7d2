"""Says a conflict in a sentence."""

from docmind.domain.verdicts import DisagreementKind
from docmind.quality.conflicts.differences import turned
from docmind.quality.conflicts.statement import Stance, Statement
from docmind.quality.conflicts.times import in_words
from docmind.quality.quantities import Period

LONGEST_QUOTE = 160
"""Characters of a quote in a reason; the conflict holds it whole."""


def kind_of(first: Statement, second: Statement) -> DisagreementKind:
    if isinstance(first.value, Stance):
        return DisagreementKind.NEGATION
    if turned(first, second):
        return DisagreementKind.DIRECTION
    return DisagreementKind.DATE if isinstance(first.value, Period) else DisagreementKind.NUMBER


def reason(first: Statement, second: Statement) -> str:
    """Both sides of a conflict as one sentence."""
    here, there = _brief(first.quoted), _brief(second.quoted)
    if isinstance(first.value, Stance) and isinstance(second.value, Stance):
        return f"“{here}” {first.value} what “{there}” {second.value}."
    if turned(first, second):
        return f"Of a rise and a fall of the same, “{here}” tells one and “{there}” the other."
    return f"{_subject(first)} is {first.said} in “{here}” and {second.said} in “{there}”."


def _subject(statement: Statement) -> str:
    """Net sales (Q3 2023); what has no name in words is the figure or the date."""
    name = statement.name or ("The date" if isinstance(statement.value, Period) else "The figure")
    when = f" ({in_words(statement.period)})" if statement.period is not None else ""
    return f"{name[0].upper()}{name[1:]}{when}"


def _brief(quote: str) -> str:
    text = " ".join(quote.split()).rstrip(".")
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1].rstrip() + "…"
