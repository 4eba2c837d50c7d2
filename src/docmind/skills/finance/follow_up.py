"""Understands a follow-up on figures alone: "and the year before?", "now as a chart", "what about net income?"."""

import re
from dataclasses import replace

from docmind.quality.quantities import Period
from docmind.skills.dialogue import History
from docmind.skills.dialogue.coreference import with_names
from docmind.skills.dialogue.ellipsis import completed, is_fragment, other_year
from docmind.skills.finance.catalogue import metrics_in, names_of
from docmind.skills.finance.phrases import mentions, names_something, terms, times_of
from docmind.skills.finance.plan import Plan
from docmind.skills.finance.plan.follow_up import Earlier, EarlierQuestion, asks_for_change, names_a_thing, plan_after
from docmind.skills.finance.question import wants_only_chart
from docmind.skills.question import names
from docmind.skills.question.subject import VERBS
from docmind.skills.question.words import ASKING, AUXILIARIES, read_words

_POINTS_BACK = re.compile(r"\b(?:it|that|this)\b(?! (?:year|quarter))", re.IGNORECASE)
_LONGEST = 120
"""Characters of a message that can lean on the one before it; what is longer says its own."""


def understood(query: str, history: History) -> str:
    """The question that a message stands for after what was said before."""
    last = history.last
    if last is None or len(query) > _LONGEST or leaves_open(last.question):
        return query
    return query if plan_of_follow_up(query, history) is not None else _understood(query, last.question, history)


def _understood(query: str, before: str, history: History) -> str:
    if wants_only_chart(query):
        return before
    if (moved := other_year(query, before)) and not names_a_thing(query):
        return moved
    if valued := _valued(query, history):
        return valued
    if is_fragment(query):
        return with_names(_changed(query, before), history)
    if _stands_alone(query):
        return query
    return with_names(_named_again(query, before), history)


def plan_of_follow_up(query: str, history: History) -> Plan | None:
    """The plan of a message that calculates with what was answered before; None where it asks by itself."""
    last = history.last
    if last is None or len(query) > _LONGEST or leaves_open(last.question) or wants_only_chart(query):
        return None
    if other_year(query, last.question) and not names_a_thing(query):
        return None
    return plan_after(query, _earlier(history))


def _earlier(history: History) -> Earlier:
    """The turns with the plans of those that calculate with the ones before them."""
    asked: list[EarlierQuestion] = []
    for place, turn in enumerate(history.turns):
        said = turn.asked or turn.question
        built = (
            plan_of_follow_up(said, replace(history, turns=history.turns[:place])) if said == turn.question else None
        )
        asked.append(EarlierQuestion(turn.question, built))
    return Earlier(asked)


def _valued(query: str, history: History) -> str:
    """And what was it in 2005? What was the value in 2001?"""
    times, thing = times_of(query), _earlier(history).thing()
    bare = not re.search(r"[a-z]{2,}", re.sub(r"\b(?:in|for|at|and|of|the|year)\b", "", query.lower()))
    if len(times) != 1 or not thing or bare or names_a_thing(query) or asks_for_change(query.lower()):
        return ""
    return f"what was the {thing} in {times[0]}?"


def leaves_open(question: str) -> bool:
    """Whether it is a part of a question that nothing before it completes."""
    return is_fragment(question) or wants_only_chart(question)


def _stands_alone(query: str) -> bool:
    """Whether what "it" or "that" means is said before it in the same message: FedEx buys fuel; what protects it?"""
    found = _POINTS_BACK.search(query)
    if found is None:
        return False
    said = query[: found.start()]
    words = read_words(said)
    # A word right before "it" is the verb of it (what drove it?); before "that" it may be what "that" goes on about.
    before = words if found[0].lower() == "that" else words[:-1]
    nouns = (word for word in before if word.lower not in VERBS | AUXILIARIES | ASKING)
    return bool(names(said)) or any(names_something(word.text) for word in nouns)


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
