"""A plan: lookups, calculations on them and what to show. Its only numbers are those of the question."""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from docmind.quality.quantities import Period
from docmind.skills.finance.catalogue import Formula, Joined, Measure, NoFormula, Sign, Term, Unit, measure_called
from docmind.skills.finance.phrases import mentions
from docmind.skills.finance.question import Show

MOST_LOOKUPS = 12
MOST_STEPS = 8
Id = Annotated[str, Field(min_length=1, max_length=24)]
_NUMBER = re.compile(r"\d[\d,]*+(?:\.\d++)?+")


class Calculation(StrEnum):
    """What is done with the figures that a step takes."""

    CHANGE = "change"
    LESS = "less"
    """The first less all the others."""
    GROWTH = "growth"
    SHARE = "share"
    RATIO = "ratio"
    PRODUCT = "product"
    DAYS = "days"
    """The first divided by the second, in days of a year."""
    SUM = "sum"
    AVERAGE = "average"
    CAGR = "cagr"
    HIGHEST = "highest"
    LOWEST = "lowest"
    SERIES = "series"
    STRETCH = "stretch"
    """All but the last added, less the last: a stretch of time that no report tells."""


class Lookup(BaseModel):
    """One figure, or one for each year of a stretch."""

    model_config = ConfigDict(frozen=True)

    id: Id
    company: Annotated[str, Field(max_length=120)] = ""
    item: Annotated[str, Field(min_length=1, max_length=300, description="As a report calls it.")]
    period: Annotated[str, Field(max_length=60, description="2023, Q3 2023 or 2020 to 2024; empty: the newest.")] = ""
    segment: Annotated[str, Field(max_length=120, description="A region, product or division.")] = ""
    optional: Annotated[bool, Field(description="Whether it counts as nothing where no report has it.")] = False

    @property
    def phrase(self) -> str:
        """What is looked for in labels."""
        return " ".join(f"{self.segment} {self.item}".split())

    @property
    def periods(self) -> tuple[Period, ...]:
        """The periods meant; two years are the ends of a stretch."""
        named = list(dict.fromkeys(one.key for one in mentions(self.period) if isinstance(one, Period) and one.year))
        years = [period.year or 0 for period in named]
        if len(named) == 2 and named == [Period(year) for year in years]:
            return tuple(Period(year) for year in range(min(years), max(years) + 1))
        return tuple(named)


class Step(BaseModel):
    """One calculation on lookups and on steps before it."""

    model_config = ConfigDict(frozen=True)

    id: Id
    operation: Calculation
    of: Annotated[
        list[Id],
        Field(min_length=1, max_length=MOST_LOOKUPS, description="Ids, or a number that the question gives."),
    ]
    name: Annotated[str, Field(max_length=120, description="What the result is called, if it has a name.")] = ""


def number_in(taken: str) -> Decimal | None:
    """The number that a step takes instead of a lookup or a step."""
    return Decimal(taken.replace(",", "")) if _NUMBER.fullmatch(taken) else None


class Plan(BaseModel):
    """How a question is answered; what no step takes is shown as it is."""

    model_config = ConfigDict(frozen=True)

    words: Annotated[bool, Field(description="Whether sentences answer it, and not figures.")] = False
    lookups: Annotated[list[Lookup], Field(max_length=MOST_LOOKUPS)] = []
    steps: Annotated[list[Step], Field(max_length=MOST_STEPS)] = []
    show: Show = "number"

    @model_validator(mode="after")
    def _can_be_carried_out(self) -> "Plan":
        """Every id and every figure is given once, and a step takes what stands before it: no plan runs in a circle."""
        if not self.lookups and not self.words:
            raise ValueError("there are no lookups, and words is false")
        known = [lookup.id for lookup in self.lookups]
        for step in self.steps:
            if unknown := [taken for taken in step.of if taken not in known and number_in(taken) is None]:
                raise ValueError(f"step {step.id} takes {unknown[0]}, which is no lookup and no earlier step")
            if len(step.of) > 1 and len(set(step.of)) == 1:
                raise ValueError(f"step {step.id} takes {step.of[0]} and nothing else")
            known.append(step.id)
        if twice := [one for one in known if known.count(one) > 1]:
            raise ValueError(f"the id {twice[0]} is given twice")
        figures = [one.model_dump(exclude={"id", "optional"}) for one in self.lookups]
        if same := [one.id for at, one in enumerate(self.lookups) if figures[at] in figures[:at]]:
            raise ValueError(f"the lookup {same[0]} is the same as one before it")
        return self

    @property
    def shown(self) -> list[str]:
        """The ids that answer: of steps first, then of lookups that no step takes."""
        taken = {used for step in self.steps for used in step.of}
        given = [*(step.id for step in self.steps), *(lookup.id for lookup in self.lookups)]
        return [one for one in given if one not in taken]


_YEAR = re.compile(r"(?:19|20)\d\d|(?<=FY)\d\d", re.IGNORECASE)
_QUOTIENTS: dict[Unit, Calculation] = {
    "percent": Calculation.SHARE,
    "days": Calculation.DAYS,
    "times": Calculation.RATIO,
    "each": Calculation.RATIO,
    "": Calculation.RATIO,
}
_JOINING = {Sign.PLUS: Calculation.SUM, Sign.LESS: Calculation.LESS}


class PlanBuilder:
    """Lookups and steps so far; a figure that is named twice is looked up once."""

    def __init__(self) -> None:
        self.lookups: list[Lookup] = []
        self.steps: list[Step] = []

    def look_up(
        self, item: str, period: str = "", *, company: str = "", segment: str = "", optional: bool = False
    ) -> str:
        """The id of a figure."""
        for one in self.lookups:
            if (one.item, one.period, one.company, one.segment) == (item, period, company, segment):
                return one.id
        lookup = Lookup(
            id=f"l{len(self.lookups)}", company=company, item=item, period=period, segment=segment, optional=optional
        )
        self.lookups.append(lookup)
        return lookup.id

    def calculate(self, operation: Calculation, of: list[str], name: str = "") -> str:
        """The id of a calculation."""
        step = Step(id=f"s{len(self.steps)}", operation=operation, of=of, name=name)
        self.steps.append(step)
        return step.id

    def add(
        self, formula: Formula, period: str, unit: Unit, name: str = "", *, company: str = "", segment: str = ""
    ) -> str:
        """The id of what a formula comes to at a period."""
        if isinstance(formula, Term):
            return self._term(formula, period, company, segment)
        operation = _QUOTIENTS[unit] if formula.sign is Sign.OVER else _JOINING.get(formula.sign)
        if operation is None:
            raise NoFormula("items are not multiplied with each other")
        sides = [self.add(side, period, "", company=company, segment=segment) for side in _operands(formula, operation)]
        return self.calculate(operation, sides, name)

    def plan(self, show: Show = "number") -> Plan:
        return Plan(lookups=self.lookups, steps=self.steps, show=show)

    def _term(self, term: Term, period: str, company: str, segment: str) -> str:
        now = self.look_up(term.name, period, company=company, segment=segment, optional=term.optional)
        if not term.averaged:
            return now
        before = self.look_up(term.name, year_before(period), company=company, segment=segment)
        return self.calculate(Calculation.AVERAGE, [now, before])


def of_company(plan: Plan, company: str) -> Plan:
    """The same plan on one company's figures."""
    lookups = [lookup.model_copy(update={"company": company}) for lookup in plan.lookups]
    return plan.model_copy(update={"lookups": lookups})


def year_before(period: str) -> str:
    """The same period a year earlier; nothing where it names no year."""
    return _YEAR.sub(lambda year: f"{int(year[0]) - 1:0{len(year[0])}d}", period) if _YEAR.search(period) else ""


def _operands(formula: Joined, operation: Calculation) -> list[Formula]:
    """The sides of a calculation; those of a sum in a row are one sum."""
    if operation is not Calculation.SUM or not isinstance(formula.left, Joined) or formula.left.sign is not Sign.PLUS:
        return [formula.left, formula.right]
    return [*_operands(formula.left, operation), formula.right]


PlanPart = Plan | str
"""A plan, or a number that the question gives."""


def joined_plans(operation: Calculation, parts: Sequence[PlanPart]) -> Plan | None:
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


def plan_of_figure(item: str, period: str = "") -> Plan:
    """The plan of one figure."""
    builder = PlanBuilder()
    builder.look_up(item[:LONGEST_ITEM], period)
    return builder.plan()


def plan_between(operation: Calculation, item: str, periods: Sequence[str]) -> Plan:
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
        inner = {one.id: _plan_of_measure(made[one.id], one) for one in plan.lookups if one.id in made}
        plan = with_plans(plan, inner)
    return plan


def _made(lookup: Lookup, stated: Stated) -> Measure | None:
    measure = measure_called(lookup.item)
    return None if measure is None or stated(measure, lookup) else measure


def with_plans(plan: Plan, made: Mapping[str, Plan]) -> Plan:
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


def _plan_of_measure(measure: Measure, lookup: Lookup) -> Plan:
    """The plan of a measure, one result for each of its periods."""
    builder = PlanBuilder()
    years = [str(period.year) for period in lookup.periods]
    for period in years if len(years) > 1 else [lookup.period]:
        builder.add(measure.formula, period, measure.unit, measure.name, company=lookup.company, segment=lookup.segment)
    return builder.plan()
