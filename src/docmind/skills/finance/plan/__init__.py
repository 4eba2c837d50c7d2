"""A question as a plan: which figures to look up, and what to calculate with them. Code carries it out."""

from docmind.skills.finance.plan.execution import execute
from docmind.skills.finance.plan.lookups import Unfound, look_up
from docmind.skills.finance.plan.plan import Calculation, Lookup, Plan, Step

__all__ = ["Calculation", "Lookup", "Plan", "Step", "Unfound", "execute", "look_up"]
