"""What something is made of: the rows under a heading, or those that add up to a total."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from docmind.quality.quantities import Figure, Refusal, Sums, check_total
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.companies import companies_asked, without_names
from docmind.skills.finance.evidence.cells import NAMED
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.series import FOOTNOTE, is_told_for
from docmind.skills.finance.evidence.tables import Row, Table
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.phrases import sought, terms
from docmind.skills.finance.question import FinanceQuestion

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


_BY = re.compile(r"\b(?:by|per|across) (?:its |their |the )?([a-z][^?.,;]*)", re.IGNORECASE)
FEWEST = 2


class _Division(NamedTuple):
    """Figures that add up to a total, and how many words of the question their table has."""

    fit: int
    figures: tuple[Figure, ...]


def breakdown_of(question: FinanceQuestion, evidence: Evidence) -> Analysis | None:
    """The parts of the total that the question names, divided the way it asks; None where no table tells.

    Each company's figures are its own; where several are named, nothing is divided.
    """
    companies = companies_asked(question, evidence)
    own = evidence.of(companies[0]) if len(companies) == 1 else evidence
    return _breakdown(question, own) if len(companies) < FEWEST else None


def _breakdown(question: FinanceQuestion, evidence: Evidence) -> Analysis | None:
    asked = _BY.search(question.text)
    if asked is None:
        return None
    measure = without_names(question.text[: asked.start()], evidence.companies)
    way = frozenset(terms(asked[1]))
    found = [parts for total, table in _totals(measure, evidence) for parts in _divisions(total, question, table, way)]
    if not found:
        return None
    # Of two ways that are asked for as much, the finer one says more.
    best = max(found, key=lambda parts: (parts.fit, len(parts.figures)))
    return Analysis(replace(question, operation=Operation.PARTS), best.figures)


def _totals(measure: str, evidence: Evidence) -> Iterator[tuple[Row, Table]]:
    """The rows that a measure names, and those that only say "Total" in a table that is of it."""
    for match in evidence.find(measure):
        if match.is_good and match.series.row is not None:
            yield match.series.row, evidence.tables[match.series.table]
    asked = frozenset(sought(measure, frozenset()))
    for table in evidence.tables:
        if asked and asked <= frozenset(terms(f"{table.caption} {table.lead}")):
            yield from ((row, table) for row in table.rows if row.closes and row.figures)


def _divisions(closing: Row, question: FinanceQuestion, table: Table, way: frozenset[str]) -> Iterator[_Division]:
    periods = question.periods or (None,)
    for total in closing.figures:
        if total.period is None or periods[0] is None or is_told_for(total.period, periods[0]):
            rows = _rows_above(closing, table)
            figures = tuple(figure for row in rows if (figure := _beside(total, row)) is not None)
            if len(figures) >= FEWEST and _adds_up(figures, total):
                said = frozenset(terms(" ".join((table.caption, table.lead, *(row.section for row in rows)))))
                yield _Division(len(way & said), figures)


def _adds_up(figures: tuple[Figure, ...], total: Figure) -> bool:
    checked = check_total(figures, total)
    return not isinstance(checked, Refusal) and checked.verdict is not Sums.NOT


def _rows_above(total: Row, table: Table) -> list[Row]:
    """The rows right above a total."""
    at = table.rows.index(total)
    above: list[Row] = []
    for row in reversed(table.rows[:at]):
        if row.closes or (not row.figures and above):
            break
        above[:0] = [row] if row.figures else []
    return above


def _beside(total: Figure, row: Row) -> Figure | None:
    """The figure of a row that stands in the column of the total, named after both: Total net sales: Europe."""
    same = (one for one in row.figures if (one.column, one.period) == (total.column, total.period))
    alike = (one for one in same if one.quantity.unit == total.quantity.unit)
    part, whole = (FOOTNOTE.sub("", label).strip().rpartition(NAMED)[2] for label in (row.label, total.label))
    return next((replace(one, label=f"{whole}{NAMED}{part}") for one in alike), None)
