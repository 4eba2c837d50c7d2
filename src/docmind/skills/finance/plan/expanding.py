"""Measures as steps: a lookup of what no report states becomes the lookups and steps of its formula."""

from collections.abc import Callable, Mapping

from docmind.skills.finance.catalogue import Measure, measure_called
from docmind.skills.finance.plan.building import PlanBuilder
from docmind.skills.finance.plan.plan import Lookup, Plan, Step

Stated = Callable[[Measure, Lookup], bool]
"""Whether the documents state a measure that is looked up."""
_DEEPEST = 4
"""Measures within measures."""


def expanded(plan: Plan, stated: Stated = lambda _measure, _lookup: False) -> Plan:
    """The plan with every measure that is not stated written out."""
    for _ in range(_DEEPEST):
        made = {one.id: measure for one in plan.lookups if (measure := _made(one, stated)) is not None}
        if not made:
            break
        inner = {one.id: _formula(made[one.id], one) for one in plan.lookups if one.id in made}
        plan = written_out(plan, inner)
    return plan


def _made(lookup: Lookup, stated: Stated) -> Measure | None:
    measure = measure_called(lookup.item)
    return None if measure is None or stated(measure, lookup) else measure


def written_out(plan: Plan, made: Mapping[str, Plan]) -> Plan:
    """The plan with other plans in the place of some of its lookups, by their ids."""
    lookups: list[Lookup] = []
    steps: list[Step] = []
    stand_for: dict[str, list[str]] = {}
    for lookup in plan.lookups:
        if lookup.id not in made:
            lookups.append(lookup)
            continue
        inner = made[lookup.id]
        prefix = f"{lookup.id}."
        lookups += [one.model_copy(update={"id": prefix + one.id}) for one in inner.lookups]
        steps += [
            one.model_copy(update={"id": prefix + one.id, "of": [prefix + taken for taken in one.of]})
            for one in inner.steps
        ]
        stand_for[lookup.id] = [prefix + one for one in inner.shown]
    for step in plan.steps:
        of = [other for taken in step.of for other in stand_for.get(taken, [taken])]
        steps.append(step.model_copy(update={"of": of}))
    return plan.model_copy(update={"lookups": lookups, "steps": steps})


def _formula(measure: Measure, lookup: Lookup) -> Plan:
    """The plan of a measure, one result for each of its periods."""
    builder = PlanBuilder()
    years = [str(period.year) for period in lookup.periods]
    for period in years if len(years) > 1 else [lookup.period]:
        builder.add(measure.formula, period, measure.unit, measure.name, company=lookup.company, segment=lookup.segment)
    return builder.plan()
