"""Statements put together into an answer: in order, with what they lean on, each cited."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from docmind.domain.documents import Span
from docmind.quality.citations import find
from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import split
from docmind.skills.extract.statements import Statement
from docmind.skills.question import Intent

MOST_ITEMS = 12
"""Sentences of a list that is quoted in full; the citation leads to the rest."""
_IN_FULL = frozenset(("list", "procedure", "configuration"))
CELL = " | "
"""What stands between the cells of a table row."""
_ENDS = (".", "!", "?", "…", ":", "。", "！", "？", ".)", ".”", '."')
_ITEM_INDENT = "- "
_LEAD = re.compile(r"\A\*\*[^\n]+\*\*\n\n")
_RUNS_ON = re.compile(r"[,;](?: \w{1,3})?\Z")
_SMALL_WORD = re.compile(r"[a-z]{1,20}+(?= )")


def compose(statements: Sequence[Statement]) -> str:
    """The statements as text; items stand on lines of their own, unless one stands alone and nothing introduces it."""
    parts: list[str] = []
    for is_item, group in groupby(statements, key=lambda one: one.kind is UnitKind.ITEM):
        items = list(group)
        if is_item and (len(items) > 1 or items[0].lead is not None):
            parts += [_ITEM_INDENT + " ".join(map(cited, one)) for one in _items(items)]
        else:
            parts.append(" ".join(_capitalised(cited(statement)) for statement in items))
    return "\n".join(parts)


def _items(statements: Sequence[Statement]) -> list[list[Statement]]:
    """The sentences of each item together: an item ends with its line."""
    found: list[list[Statement]] = []
    for one in statements:
        if found and _goes_on(found[-1][-1], one):
            found[-1].append(one)
        else:
            found.append([one])
    return found


def _goes_on(before: Statement, one: Statement) -> bool:
    """Whether a statement stands behind another one on the same line."""
    if before.hit is not one.hit or before.place > one.place:
        return False
    return "\n" not in Span(before.sentence.span.end, one.sentence.span.start).of(one.hit.passage.text)


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
        return _its_list(statement, statements) if wanted in _IN_FULL else [statement]
    items = [one for one in statements if one.lead is lead]
    if statement is lead or (lead.introduces and (wanted in _IN_FULL or any(map(_runs_on, items)))):
        return [lead, *items][: MOST_ITEMS + 1]
    return [lead, statement]


def _runs_on(item: Statement) -> bool:
    """Whether the sentence of an item goes on in the next one: "you move away, or". It says nothing whole by itself."""
    return _RUNS_ON.search(item.text.rstrip()) is not None


def _its_list(statement: Statement, statements: Sequence[Statement]) -> list[Statement]:
    """An item that nothing introduces with the items around it: steps often stand right below their heading."""
    own = [one for one in statements if one.hit is statement.hit]
    runs = (list(run) for is_item, run in groupby(own, key=lambda one: one.kind is UnitKind.ITEM) if is_item)
    return next((run[:MOST_ITEMS] for run in runs if statement in run[:MOST_ITEMS]), [statement])


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
