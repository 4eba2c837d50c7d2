"""Understands a follow-up on figures alone: "and the year before?", "now as a chart", "what about net income?"."""

import re

from docmind.quality.quantities import Period
from docmind.skills.dialogue import History
from docmind.skills.dialogue.ellipsis import completed, is_fragment
from docmind.skills.dialogue.references import with_names
from docmind.skills.dialogue.substitution import other_year
from docmind.skills.finance.asking import mentions
from docmind.skills.finance.building import built_on, names_a_thing
from docmind.skills.finance.chart_request import wants_nothing_else
from docmind.skills.finance.catalogue import metrics_in, names_of
from docmind.skills.finance.terms import terms
from docmind.skills.question import names

_POINTS_BACK = re.compile(r"\b(?:it|that|this)\b(?! (?:year|quarter))", re.IGNORECASE)
_LONGEST = 120
"""Characters of a message that can lean on the one before it; what is longer says its own."""


def understood(query: str, history: History) -> str:
    """The question that a message stands for after what was said before."""
    last = history.last
    if last is None or len(query) > _LONGEST or leaves_open(last.question):
        return query
    if wants_nothing_else(query):
        return last.question
    if (moved := other_year(query, last.question)) and not names_a_thing(query):
        return moved
    if built := built_on(query, [turn.question for turn in history.turns]):
        return built
    if is_fragment(query):
        return with_names(_changed(query, last.question), history)
    return with_names(_named_again(query, last.question), history)


def leaves_open(question: str) -> bool:
    """Whether it is a part of a question that nothing before it completes."""
    return is_fragment(question) or wants_nothing_else(question)


def _changed(query: str, before: str) -> str:
    """The question before with the metric, the company and the time that a fragment names instead."""
    changed = before
    for new, old in ((_metric(query), _metric(before)), (_company(query), _company(before))):
        changed = changed.replace(old, new, 1) if new and old else changed
    when = next((one.text for one in mentions(query) if isinstance(one, Period) and one.year), "")
    if when:
        return completed(f"in {when}?", changed)
    return changed if changed != before else completed(query, before)


def _company(text: str) -> str:
    """The first name that is not of a metric."""
    return next((name.text for name in names(text) if not metrics_in(terms(name.text))), "")


def _named_again(query: str, before: str) -> str:
    """With the metric in the place of "it": what grows is a figure, and not the company."""
    metric, owner = _metric(before), _company(before)
    if not metric or metrics_in(terms(query)):
        return query
    return _POINTS_BACK.sub(f"{owner}'s {metric}" if owner else metric, query, count=1)


def _metric(text: str) -> str:
    """The words that name the first metric of a text, as they stand there."""
    metric = next(iter(metrics_in(terms(text))), "")
    written = (re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) for name in names_of(metric) if metric)
    return max((found[0] for found in written if found is not None), key=len, default="")
