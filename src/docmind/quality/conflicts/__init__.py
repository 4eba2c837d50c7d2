"""Conflicts in the evidence itself: two documents that answer one question, and cannot both be right."""

from docmind.quality.conflicts.answer import DocumentAnswer
from docmind.quality.conflicts.judge import AnswerPair, ConflictJudge, ConflictModel
from docmind.quality.conflicts.signals import say_the_same

__all__ = ["AnswerPair", "ConflictJudge", "ConflictModel", "DocumentAnswer", "say_the_same"]
