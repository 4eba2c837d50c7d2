"""Puts a plan together: formulas become lookups and steps."""

import re

from docmind.skills.finance.catalogue import Unit
from docmind.skills.finance.chart_request import Show
from docmind.skills.finance.formula import Formula, Joined, NoFormula, Sign, Term
from docmind.skills.finance.plan.plan import Calculation, Lookup, Plan, Step

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
