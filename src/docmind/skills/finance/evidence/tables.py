"""Tables put together again from the passages that hold their rows: each row with its label, heading and figures."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from docmind.domain.documents import Passage, Span
from docmind.quality.quantities import Figure, Period, Terms, read, read_terms, usual_terms
from docmind.quality.quantities.unit_terms import NO_TERMS
from docmind.skills.finance.evidence.cells import CELL, NAMED, Line, read_lines, take_tags


def carried_sections(labels: Sequence[str], headings: Collection[str]) -> dict[str, str]:
    """The headings before the name of each label that has them, "Current assets" of "Current assets: Cash".

    What stands before a colon is a heading where the table has a row of that name, or where several labels share it.
    """
    shared = Counter(path for label in set(labels) for path in _paths(label))
    known = {
        label: [path for path in _paths(label) if shared[path] > 1 or path.rpartition(NAMED)[2] in headings]
        for label in labels
    }
    return {label: paths[-1] for label, paths in known.items() if paths}


def _paths(label: str) -> Iterator[str]:
    """What stands before each colon, shortest first."""
    at = label.find(NAMED)
    while at >= 0:
        yield label[:at]
        at = label.find(NAMED, at + 1)


_STATED = re.compile(r"\b(?:in|of)\s(?:\S{1,20}+\s){0,3}?(?:thousands|millions|billions)\b|['’]000", re.IGNORECASE)
_LEADS = re.compile(
    r":$|\b(?:as follows|following table|table below|tables? (?:shows?|presents?|sets?|summari))", re.IGNORECASE
)
LEADING_PASSAGES = 3
LONGEST_TITLE = 80
NEAR = 400
"""Characters at the end of a paragraph in which it leads over to a table."""


def lead_of(first: Passage, passages: Sequence[Passage]) -> str:
    """The headings above a table, and the lines of the nearest text before it that name it or lead over to it."""
    before = [passage for passage in passages if passage.kind == "text" and passage.ordinal < first.ordinal]
    lines = [line for passage in before[-LEADING_PASSAGES:] for line in passage.text.split("\n")]
    leading = (line for line in lines if len(line) <= LONGEST_TITLE or _LEADS.search(line[-NEAR:]))
    return " ".join((*first.heading[1:-1], *leading))


def terms_of(first: Passage, passages: Sequence[Passage]) -> Terms:
    """Scale and currency as the nearest text states them, before the table or after it; else as most captions do."""
    texts = [passage for passage in passages if passage.kind == "text"]
    before = [passage.text for passage in texts if passage.ordinal < first.ordinal]
    after = [passage.text for passage in texts if passage.ordinal > first.ordinal]
    for text in (*reversed(before), *after):
        for line in reversed(text.split("\n")):
            terms = read_terms(line[-NEAR:]) if _STATED.search(line[-NEAR:]) else NO_TERMS
            if terms.scale is not None:
                return Terms(terms.scale, terms.currency)
    return usual_terms({passage.heading[-1] for passage in passages if passage.kind == "table" and passage.heading})


_REMEMBERED = 512
"""Tables."""
_TOLD_BY = 40
"""Characters by which the first line of a table is known as its caption, which a heading may have cut short."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table; a row that only heads others has no figures."""

    label: str
    section: str
    """The heading row it stands under, if any."""
    figures: tuple[Figure, ...]
    span: Span
    source: str
    closes: bool = False
    """Whether it is the total of the rows above it: said so, or the one without a label."""
    label_offset: int = 0
    """How far into the row its label begins, after the headings that the row carries itself."""

    @property
    def own_label(self) -> str:
        """The label without the headings that a line may repeat before it."""
        return self.label.rpartition(NAMED)[2] or self.label

    @property
    def label_span(self) -> Span:
        start = self.span.start + self.label_offset
        return Span(start, start + len(self.label))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of one document."""

    document_id: str
    caption: str
    lead: str
    """What the text before it says of it: "net sales by region were as follows"."""
    rows: tuple[Row, ...]


def read_tables(passages: Sequence[Passage]) -> list[Table]:
    """The tables of some passages, those of one document in its order; neighbouring parts of a table are joined."""
    ordered = sorted(passages, key=lambda passage: (passage.document_id, passage.ordinal))
    tables = []
    for _, group in groupby(ordered, key=lambda passage: passage.document_id):
        of_document = list(group)
        tables += [_table(run, of_document) for run in _runs(of_document)]
    return tables


def _runs(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    """Passages that follow each other in one table."""
    run: list[Passage] = []
    for passage in passages:
        follows = run and passage.ordinal == run[-1].ordinal + 1 and passage.heading == run[-1].heading
        if run and not (follows and passage.kind == "table"):
            yield run
            run = []
        if passage.kind == "table":
            run.append(passage)
    if run:
        yield run


def _table(run: Sequence[Passage], passages: Sequence[Passage]) -> Table:
    return _read_table(tuple(run), lead_of(run[0], passages), terms_of(run[0], passages))


@lru_cache(maxsize=_REMEMBERED)
def _read_table(run: tuple[Passage, ...], lead: str, defaults: Terms) -> Table:
    """The same statements are found again by each search of a run, and by the next question."""
    first = run[0]
    caption = first.heading[-1] if first.heading else ""
    lines = [line for passage in run for line in _lines(passage)]
    while lines and not lines[0].has_cells and _is_caption(lines[0].text, caption):
        caption = lines[0].text if lines[0].text.startswith(caption[:_TOLD_BY]) else f"{caption} {lines[0].text}"
        lines = lines[1:]
    facts = [fact for passage in run for fact in passage.facts]
    figures = [take_tags(line, facts) for line in read_lines(lines, caption, defaults)]
    rows = _rows(lines, figures)
    return Table(first.document_id, caption, lead, tuple(rows))


def _is_caption(line: str, caption: str) -> bool:
    """Whether a line above the rows is the caption, or says what the figures are in."""
    return bool(caption and line.startswith(caption[:_TOLD_BY])) or read_terms(line).scale is not None


def _lines(passage: Passage) -> Iterator[Line]:
    start = passage.span.start
    for text in passage.text.split("\n"):
        if text.strip():
            yield Line(text, start, passage.id)
        start += len(text) + 1


def _rows(lines: Sequence[Line], read_figures: Sequence[list[Figure]]) -> Iterator[Row]:
    """Rows under the heading they stand under, which also says when, up to the total that closes it."""
    labels = [_label(line, figures) for line, figures in zip(lines, read_figures, strict=True)]
    headings = {_heading(line) for line, figures in zip(lines, read_figures, strict=True) if not figures}
    carried = carried_sections(labels, headings)
    section, since, left = "", None, False
    for line, label, figures in zip(lines, labels, read_figures, strict=True):
        span = Span(line.start, line.start + len(line.text))
        if not figures and (not line.has_cells or _periods(line.text)):
            since = _period_of(line)
            heading = _heading(line)
            section, left = "" if since is not None and _only_tells_when(heading) else heading, False
            yield Row(heading, "", (), span, line.source)
            continue
        path = carried.get(label, "")
        own = label.removeprefix(f"{path}{NAMED}") if path else label
        is_total = own.lower().startswith("total")
        # After rows that carry the heading, one that does not stands outside of it.
        left = left or bool(path)
        under = path.rpartition(NAMED)[2] if path else "" if is_total or left else section
        named = label if path else _named(label, under, section)
        placed = tuple(_placed(figure, named, since) for figure in figures)
        closes = is_total or not label
        yield Row(own, under, placed, span, line.source, closes, len(label) - len(own))
        section = "" if closes else section


def _placed(figure: Figure, label: str, since: Period | None) -> Figure:
    """A figure under its label, and of the time that a heading says; a tag knows better."""
    return replace(figure, label=label, period=figure.period if figure.concept else since or figure.period)


def _heading(line: Line) -> str:
    """What a line without figures heads the rows below it with; a line of cells says only when."""
    return "" if line.has_cells else line.text.strip().removesuffix(":")


def _label(line: Line, figures: Sequence[Figure]) -> str:
    first = line.text.split(CELL, 1)[0]
    unlabelled = figures and figures[0].span.end <= line.start + len(first)
    return "" if unlabelled else first.strip()


def _named(label: str, under: str, section: str) -> str:
    """What the figures of a row are called: with the heading, and as its total where the row has no label."""
    if not label:
        return f"Total {section}".strip()
    return f"{under}{NAMED}{label}" if under and NAMED not in label else label


def _periods(text: str) -> set[Period]:
    return {mention.key for mention in read(text) if isinstance(mention, Period) and mention.year}


def _period_of(line: Line) -> Period | None:
    """The one period that a line within a table says for the rows below it."""
    named = {period for cell in line.text.split(CELL) for period in _periods(cell.rpartition(NAMED)[2])}
    return named.pop() if len(named) == 1 else None


def _only_tells_when(heading: str) -> bool:
    """As of December 31, 2019."""
    said = sum(len(mention.text) for mention in read(heading) if isinstance(mention, Period))
    return 2 * said >= len(heading)
