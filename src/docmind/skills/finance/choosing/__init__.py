"""Chooses the row that is meant by meaning: what speaks for each row, and a fitted model of the choice."""

from docmind.skills.finance.choosing.chooser import LIKELY, Choice, best_row, choose, shortlist
from docmind.skills.finance.choosing.signals import Candidate, WantedFigure

__all__ = ["LIKELY", "Candidate", "Choice", "WantedFigure", "best_row", "choose", "shortlist"]
