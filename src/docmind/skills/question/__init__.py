"""Reading a question by its structure alone: what it asks for, of what, when, on which conditions, in which parts."""

from docmind.skills.question.intent import Intent, intent
from docmind.skills.question.parts import MOST_PARTS, SubQuestion, parts, questions
from docmind.skills.question.subject import names, times
from docmind.skills.question.words import LONGEST, clean

__all__ = [
    "LONGEST",
    "MOST_PARTS",
    "Intent",
    "SubQuestion",
    "clean",
    "intent",
    "names",
    "parts",
    "questions",
    "times",
]
