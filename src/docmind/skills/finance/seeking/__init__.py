"""Finding what a financial question needs: who and when it is about, where to look, and what is still missing."""

from docmind.skills.finance.seeking.entities import process
from docmind.skills.finance.seeking.gaps import find_gaps, plan_gaps
from docmind.skills.finance.seeking.planning import with_plan
from docmind.skills.finance.seeking.processed import Gap, ProcessedQuery, plan_of, unreported
from docmind.skills.finance.seeking.ranking import rerank
from docmind.skills.finance.seeking.searches import Sought, for_gaps, for_question, for_reading

__all__ = [
    "Gap",
    "ProcessedQuery",
    "Sought",
    "find_gaps",
    "for_gaps",
    "for_question",
    "for_reading",
    "plan_gaps",
    "plan_of",
    "process",
    "rerank",
    "unreported",
    "with_plan",
]
