"""Makes the page that a table and its paragraphs were taken from again, and cuts it into passages as an ingest does."""

import html
from collections.abc import Sequence

from docmind.corpus.chunk import chunk
from docmind.corpus.load import load
from docmind.corpus.load.builder import one_line
from docmind.corpus.load.grid import is_value, is_year
from docmind.domain.documents import Passage

Grid = Sequence[Sequence[str]]


def passages_of(name: str, before: Sequence[str], grid: Grid, after: Sequence[str] = ()) -> list[Passage]:
    """The page with the table between its paragraphs, loaded and cut as a file of it would be."""
    body = [*map(_paragraph, before), _table(grid), *map(_paragraph, after)]
    page = f"<html><body>{''.join(body)}</body></html>"
    loaded = load(page.encode(), f"{name}.html")
    return [
        Passage(
            id=f"{name}-{ordinal}",
            document_id=name,
            ordinal=ordinal,
            span=piece.span,
            text=piece.span.of(loaded.text),
            heading=piece.heading,
            page=piece.page,
            kind=piece.kind,
        )
        for ordinal, piece in enumerate(chunk(loaded))
    ]


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def _table(grid: Grid) -> str:
    rows = [[one_line(cell) for cell in row] for row in grid]
    headers = _header_rows(rows)
    written = [_header_row(row) for row in rows[:headers]] + [_row(row) for row in rows[headers:]]
    return f"<table>{''.join(written)}</table>"


def _header_rows(rows: Grid) -> int:
    """The rows above the first figures, less the heading of the first rows: a page marks which rows name columns."""
    count = next((at for at, row in enumerate(rows) if any(is_value(c) and not is_year(c) for c in row[1:])), 0)
    while count and not any(rows[count - 1][1:]):
        count -= 1
    return count


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>"


def _header_row(cells: Sequence[str]) -> str:
    """A cell over several columns was written once when the table was taken; it is spread over them again."""
    spread = [f"<th>{html.escape(cells[0])}</th>"]
    for start, end in _spans(cells):
        text = next((cell for cell in cells[start:end] if cell), "")
        spread.append(f'<th colspan="{end - start}">{html.escape(text)}</th>')
    return f"<tr>{''.join(spread)}</tr>"


def _spans(cells: Sequence[str]) -> list[tuple[int, int]]:
    """One cell alone stood over all columns; of several, each stood over those that it begins, or is the middle of."""
    filled = [at for at in range(1, len(cells)) if cells[at]]
    if len(filled) < 2:
        return [(1, len(cells))] if len(cells) > 1 else []
    spans, start = [], 1
    for at, following in zip(filled, [*filled[1:], len(cells)], strict=True):
        centred = filled[0] > 1 and following < len(cells)
        end = min(2 * at - start + 1, following) if centred else following
        spans.append((start, end))
        start = end
    return spans
