"""What something is made of: the rows under a heading, or those above the total that they make."""

import re
from collections.abc import Sequence

from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.tables import Row, Table
from docmind.skills.finance.terms import terms

_WHOLE_TABLE = re.compile(r"\b(?:in|of|from) the (?:\w{1,15} )?table\b|\blisted\b")
_HALF = 0.5


def parts_of(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The labels of the rows that make up what is asked for."""
    rows = (
        _under_heading(question, evidence.tables) or _above_total(question, evidence) or _of_table(question, evidence)
    )
    named = {_named(row): row for row in reversed(rows) if row.label}
    quotes = tuple(Quote(name, row.label_span, row.source) for name, row in reversed(named.items()))
    if not quotes:
        return Analysis(question, refusal="No table of the passages says what it is made of.")
    figures = tuple(row.figures[0] for row in rows if row.figures)
    return Analysis(question, figures, quotes, count=len(quotes))


def _named(row: Row) -> str:
    return re.sub(r"\s?\(\d{1,2}\)$", "", row.label)


def _under_heading(question: FinanceQuestion, tables: Sequence[Table]) -> list[Row]:
    """The rows of the section whose heading the question names best."""
    best, found = _HALF, []
    for table in tables:
        for row in table.rows:
            heading = frozenset(terms(row.label)) if not row.figures else frozenset()
            asked = frozenset(sought(question.text, heading))
            overlap = len(heading & asked) / len(heading | asked) if heading else 0.0
            if overlap > best:
                best = overlap
                found = [one for one in table.rows if one.figures and one.section == row.label and not one.closes]
    return found


def _above_total(question: FinanceQuestion, evidence: Evidence) -> list[Row]:
    series = evidence.best(question.text)
    if series is None or series.row is None:
        return []
    rows = evidence.tables[series.table].rows
    at = rows.index(series.row)
    above: list[Row] = []
    for row in reversed(rows[:at]):
        if row.closes or not row.figures:
            break
        above.insert(0, row)
    return above


def _of_table(question: FinanceQuestion, evidence: Evidence) -> list[Row]:
    """All rows of the only table, where the question asks what it lists."""
    if len(evidence.tables) != 1:
        return []
    table = evidence.tables[0]
    named = frozenset(terms(f"{table.caption} {table.lead}")) & frozenset(sought(question.text, frozenset()))
    if not named and not _WHOLE_TABLE.search(question.text.lower()):
        return []
    return [row for row in table.rows if row.figures and not row.closes]
