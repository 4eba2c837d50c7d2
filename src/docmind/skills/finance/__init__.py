"""Figures and calculations for financial questions: read, found, computed exactly and checked, with their sources."""

from docmind.skills.finance.analyse import analyse, analyse_with
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.catalogue import names_of
from docmind.skills.finance.compute.checks import Finding, Flaw, validate
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion, read_question

__all__ = [
    "Analysis",
    "Evidence",
    "FinanceQuestion",
    "Finding",
    "Flaw",
    "Operation",
    "Quote",
    "analyse",
    "analyse_with",
    "names_of",
    "read_question",
    "validate",
]
