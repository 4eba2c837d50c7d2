"""Plans put together: one calculation on what other plans, figures and given numbers come to."""

from collections.abc import Sequence

from docmind.skills.finance.plan.building import PlanBuilder
from docmind.skills.finance.plan.plan import Calculation, Plan

Part = Plan | str
"""A plan, or a number that the question gives."""


def joined(operation: Calculation, parts: Sequence[Part]) -> Plan | None:
    """The plan that calculates with what its parts come to; None where a part comes to several things."""
    builder, of = PlanBuilder(), list[str]()
    for part in parts:
        result = part if isinstance(part, str) else _taken_in(builder, part)
        if result is None:
            return None
        of.append(result)
    builder.calculate(operation, of)
    try:
        return builder.plan()
    except ValueError:
        return None


def figure(item: str, period: str = "") -> Plan:
    """The plan of one figure."""
    builder = PlanBuilder()
    builder.look_up(item[:LONGEST_ITEM], period)
    return builder.plan()


def between(operation: Calculation, item: str, periods: Sequence[str]) -> Plan:
    """A calculation on one item at several times."""
    builder = PlanBuilder()
    builder.calculate(operation, [builder.look_up(item[:LONGEST_ITEM], period) for period in periods])
    return builder.plan()


LONGEST_ITEM = 300


def _taken_in(builder: PlanBuilder, part: Plan) -> str | None:
    """The id of what a plan comes to, once its lookups and steps are in the builder."""
    if len(part.shown) != 1:
        return None
    ids = {
        one.id: builder.look_up(one.item, one.period, company=one.company, segment=one.segment, optional=one.optional)
        for one in part.lookups
    }
    for step in part.steps:
        ids[step.id] = builder.calculate(step.operation, [ids.get(taken, taken) for taken in step.of], step.name)
    return ids[part.shown[0]]
