"""The plan itself: lookups, calculations on them, and what to show. Its only numbers are those of the question."""

import re
from decimal import Decimal
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from docmind.quality.quantities import Period
from docmind.skills.finance.chart_request import Show
from docmind.skills.finance.question_phrases import mentions

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
