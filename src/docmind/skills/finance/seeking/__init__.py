"""Finding what a financial question needs: who and when it is about, where to look, and what is still missing."""

from docmind.skills.finance.seeking.entities import process
from docmind.skills.finance.seeking.gaps import find_gaps
from docmind.skills.finance.seeking.processed import Gap, ProcessedQuery
from docmind.skills.finance.seeking.ranking import rerank
from docmind.skills.finance.seeking.searches import Sought, for_gaps, for_question

__all__ = ["Gap", "ProcessedQuery", "Sought", "find_gaps", "for_gaps", "for_question", "process", "rerank"]
