"""Which statements could answer at all, before any is scored: they assert something, and of what is asked about."""

import re
from collections.abc import Sequence

from docmind.quality.grounding.words import words
from docmind.quality.units import UnitKind
from docmind.skills.extract.question import Question, stands_in
from docmind.skills.extract.statements import Statement, can_answer

_TELLS_HOW = frozenset(("procedure", "configuration", "cause", "comparison"))
_STEP = re.compile(r"(?:open|go to|sign in|log in|navigate to|click)\b", re.IGNORECASE)
"""How a step begins that only leads to where something is done."""
_UNNUMBERED = re.compile(
    r"\b(?:one|once|twice|single|sole|only|none|both|half|several|dozens?|hundreds|thousands|[mb]illions?"
    r"|unlimited|any number|no (?:limit|maximum))\b",
    re.IGNORECASE,
)
"""How many there are, said without a numeral."""
_NO_NEWS = 2
"""A statement is looked through for something new unless it is so many times as long as the question."""
_CELL = " | "
_TELLING_NAME = 2
"""Words that a row's name must have to be told from others by it."""


def candidates(question: Question, statements: Sequence[Statement]) -> list[Statement]:
    """The statements that could answer: they say something new, in a passage that has every identifier asked about."""
    followed = {statement.lead for statement in statements}
    asked = {word.key for word in words(question.text)}
    able = [
        statement
        for statement in statements
        if can_answer(statement)
        and (not statement.introduces or statement in followed)
        and _suits(question, statement, asked)
        and _names(question, statement.hit.passage.indexed_text)
    ]
    # Where some have the identifier themselves, those beside them speak of another: the other rows of a table do.
    named = [one for one in able if _names(question, _said(one))]
    return _without_other_rows(named or able, asked)


def _names(question: Question, text: str) -> bool:
    said = text.lower()
    return all(stands_in(identifier, said) for identifier in question.identifiers)


def _said(statement: Statement) -> str:
    """What it says, with what it leans on; a section with the identifier in its title speaks of that throughout."""
    lead, heading = statement.lead, statement.hit.passage.heading
    of_table = statement.hit.passage.kind == "table"
    return " ".join((heading[-1] if heading and not of_table else "", lead.text if lead else "", statement.text))


def _suits(question: Question, statement: Statement, asked: set[str]) -> bool:
    """A step answers only who asks how, a number who asks how many, and saying again what was asked yes or no alone."""
    if question.intent not in _TELLS_HOW and _STEP.match(statement.text):
        return False
    if question.asks_how_many and not statement.introduces and not _counts(statement.text, asked):
        return False
    if question.intent == "yes_no" or statement.introduces or len(statement.text) > _NO_NEWS * len(question.text):
        return True
    return not asked.issuperset(word.key for word in words(statement.text))


def _counts(text: str, asked: set[str]) -> bool:
    """Whether it gives a number that the question does not have."""
    numbers = (word.key for word in words(text) if word.key[0].isdigit())
    return any(number not in asked for number in numbers) or _UNNUMBERED.search(text) is not None


def _without_other_rows(able: Sequence[Statement], asked: set[str]) -> list[Statement]:
    """Where the whole name of a row is asked about, without the document's rows whose names only resemble it.

    A row is named by its first cell: who asks for the number of datasets is not told the number of rows in a dataset.
    """
    names = {one: _name(one) for one in able if one.kind is UnitKind.ROW}
    asked_for: dict[str, int] = {}
    for one, name in names.items():
        if len(name) >= _TELLING_NAME and name <= asked:
            document = one.hit.passage.document_id
            asked_for[document] = max(len(name), asked_for.get(document, 0))

    def only_resembles(row: Statement) -> bool:
        shared = len(names[row] & asked)
        return not names[row] <= asked and 0 < shared <= asked_for.get(row.hit.passage.document_id, 0)

    return [one for one in able if one not in names or not only_resembles(one)]


def _name(row: Statement) -> frozenset[str]:
    return frozenset(word.key for word in words(row.text.partition(_CELL)[0]))
