"""Statements put together into an answer: in order, with what they lean on, each cited."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from docmind.domain.documents import Span
from docmind.quality.citations import find
from docmind.quality.sentences import split
from docmind.quality.units import UnitKind
from docmind.skills.extract.statements import Statement
from docmind.skills.question import Intent

MOST_ITEMS = 8
"""Of a list that is quoted in full; the citation leads to the rest."""
_IN_FULL = frozenset(("list", "procedure", "configuration"))
CELL = " | "
"""What stands between the cells of a table row."""
_ENDS = (".", "!", "?", "…", ":", "。", "！", "？", ".)", ".”", '."')
_ITEM_INDENT = "- "
_LEAD = re.compile(r"\A\*\*[^\n]+\*\*\n\n")
_SMALL_WORD = re.compile(r"[a-z]{1,20}+(?= )")


def compose(statements: Sequence[Statement]) -> str:
    """The statements as text; items stand on lines of their own below what introduces them."""
    parts: list[str] = []
    for is_item, group in groupby(statements, key=_is_listed):
        said = [cited(statement) for statement in group]
        if is_item:
            parts.append("\n".join(_ITEM_INDENT + one for one in said))
        else:
            parts.append(" ".join(map(_capitalised, said)))
    return "\n".join(parts)


def lead(bare: str) -> str:
    """The direct answer as a line above the sentences it stands in, which carry the citations."""
    said = _without_markers(" ".join(bare.split())).strip("*_ ,;:")
    return f"**{said[:1].upper()}{said[1:]}**\n\n" if said else ""


def without_lead(answer: str) -> str:
    """An answer without the line that says it directly."""
    return _LEAD.sub("", answer, count=1)


def cited(statement: Statement) -> str:
    """A statement on one line, with the place of its passage; a cell of a table row may hold several sentences."""
    said = split(_finished(_readable(statement)))
    return " ".join(f"{sentence.text} [{statement.number}]" for sentence in said)


def arrange(wanted: Intent, chosen: Sequence[Statement], statements: Sequence[Statement]) -> list[Statement]:
    """The chosen statements with what belongs to them: the first in front, because it answers, the others in order."""
    first, *others = (_with_company(wanted, statement, statements) for statement in chosen)
    return [*first, *_in_order(statement for group in others for statement in group if statement not in first)]


def _with_company(wanted: Intent, statement: Statement, statements: Sequence[Statement]) -> list[Statement]:
    """A statement with what it leans on, and what introduces a list with its items, of which often all are wanted."""
    lead = statement if statement.introduces else statement.lead
    if lead is None:
        return [statement]
    if statement is lead or (lead.introduces and wanted in _IN_FULL):
        return [lead, *(one for one in statements if one.lead is lead)][: MOST_ITEMS + 1]
    return [lead, statement]


def _in_order(statements: Iterable[Statement]) -> list[Statement]:
    """Each once: passages by their rank, but those of one document together, and within one as they were written."""
    distinct = list(dict.fromkeys(statements))
    first: dict[str, int] = {}
    for statement in distinct:
        document = statement.hit.passage.document_id
        first[document] = min(first.get(document, statement.number), statement.number)
    return sorted(
        distinct,
        key=lambda s: (first[s.hit.passage.document_id], s.hit.passage.ordinal, s.number, s.place),
    )


def _is_listed(statement: Statement) -> bool:
    return statement.kind is UnitKind.ITEM and statement.lead is not None


def _readable(statement: Statement) -> str:
    text = " ".join(statement.text.split())
    if statement.kind is UnitKind.ROW:
        name, _, cells = text.partition(CELL)
        text = f"{name} — {cells.replace(f'.{CELL}', '; ').replace(CELL, '; ')}" if cells else name
    return _without_markers(text)


def _without_markers(text: str) -> str:
    """Brackets that would be read as citations of ours made round: `[6]` in a document cites what it does."""
    for span in dict.fromkeys(marker.span for marker in find(text)):
        if text[span.start] == "[":
            inner = Span(span.start + 1, span.end - 1).of(text)
            text = f"{text[: span.start]}({inner}){text[span.end :]}"
    return text


def _finished(text: str) -> str:
    return text if text.endswith(_ENDS) else text.rstrip(",;") + "."


def _capitalised(text: str) -> str:
    """A sentence that begins small would be read as the rest of the one before it."""
    return text[0].upper() + text[1:] if _SMALL_WORD.match(text) else text
