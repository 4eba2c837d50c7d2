"""Figures that a filing tags itself: what their tags say is taken instead of what the table around them suggests."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from docmind.domain.facts import Fact, Tag
from docmind.quality.quantities import Figure, Period
from docmind.quality.quantities.quantity import Quantity
from docmind.skills.finance.terms import terms

DAYS_OF_A_MONTH = 30.44
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_EMPTY = frozenset(terms("member domain segment"))
_CURRENCY = re.compile(r"[A-Z]{3}")


def take_tags(figures: Sequence[Figure], facts: Sequence[Fact]) -> list[Figure]:
    """The figures of a line, each with what its tag says where it has one."""
    return [_told(figure, facts) for figure in figures] if facts else list(figures)


def _told(figure: Figure, facts: Sequence[Fact]) -> Figure:
    tag = next((fact.tag for fact in facts if fact.span.overlaps(figure.span)), None)
    if tag is None:
        return figure
    scale = Decimal(10) ** tag.scale
    step = figure.quantity.step / figure.scale * scale
    quantity = _measured(replace(figure.quantity, value=tag.value, step=step, upper=None, scaled=tag.scale != 0), tag)
    if quantity.unit == "percent":
        scale = Decimal(1)
    return replace(
        figure, quantity=quantity, scale=scale, period=_period(tag), concept=tag.concept, members=tag.members
    )


def _measured(quantity: Quantity, tag: Tag) -> Quantity:
    """The quantity in the unit of its tag; a share of one is in per cent, as pages show it."""
    what, _, per = tag.unit.partition("/")
    plain = replace(quantity, unit="", currency=None, counted=None, per=None)
    if _CURRENCY.fullmatch(what):
        return replace(plain, unit="money", currency=what, per="share" if per == "shares" else per or None)
    if what == "shares":
        return replace(plain, counted="share")
    if what == "pure" and (tag.scale == -2 or quantity.unit == "percent"):
        hundred = Decimal(100)
        return replace(plain, value=tag.value * hundred, step=quantity.step * hundred, unit="percent", scaled=False)
    return plain


def _period(tag: Tag) -> Period:
    """The day or the stretch of time that a tag is of."""
    months = (
        None if tag.start is None else max(1, round((tag.end - tag.start + dt.timedelta(1)).days / DAYS_OF_A_MONTH))
    )
    return Period(tag.end.year, month=tag.end.month, day=tag.end.day, months=months)


def concept_terms(concept: str) -> tuple[str, ...]:
    """The words of a concept's name: net income loss of `us-gaap:NetIncomeLoss`."""
    return terms(" ".join(_WORD.findall(concept.rpartition(":")[2])))


def member_terms(figure: Figure) -> frozenset[str]:
    """The words by which the parts of the company are called that a figure is of."""
    return frozenset(word for member in figure.members for word in concept_terms(member)) - _EMPTY
