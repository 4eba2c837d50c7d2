"""Writes pages of placed words, printed or recognised, as one text without what is repeated on every page."""

from collections.abc import Callable, Sequence

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.ocr.engine import HOW_TO_GET_ONE
from docmind.corpus.load.ocr.recognition import Recognition
from docmind.corpus.load.pdf.aligned import find_aligned_tables
from docmind.corpus.load.pdf.continued import Leaf, carry_over
from docmind.corpus.load.pdf.layout import write_page
from docmind.corpus.load.pdf.ruled import find_ruled_tables
from docmind.corpus.load.pdf.style import Style, running_segments
from docmind.corpus.load.pdf.words import PageText

# Enough to learn what is usual in a document, few enough to hold in memory.
SAMPLE_PAGES = 48
MOST_NAMED = 10
"""Pages that a note lists one by one."""


def write_pages(builder: Builder, count: int, page_at: Callable[[int], PageText]) -> None:
    """Append `count` pages to `builder`; `page_at` reads one by its index."""
    step = max(1, -(-count // SAMPLE_PAGES))
    sample = {index: page_at(index) for index in range(0, count, step)}
    style = Style()
    for page in sample.values():
        style.learn(page)
    before: Leaf | None = None
    for index in range(count):
        page = sample.pop(index) if index in sample else page_at(index)
        before = _leaf(page, running_segments(page, style), before)
        write_page(builder, before, style)


def _leaf(page: PageText, dropped: set[int], before: Leaf | None) -> Leaf:
    ruled = find_ruled_tables(page)
    continued = carry_over(before, Leaf(page, ruled, dropped))
    # A row alone is a table only where it ends one.
    ruled = [table for table in ruled if table is continued or len(table.titles + table.rows) > 1]
    taken = dropped.union(*(table.taken for table in ruled))
    leaf = Leaf(page, ruled + find_aligned_tables(page, taken), dropped)
    if not continued:
        carry_over(before, leaf)
    return leaf


def unread_note(numbers: Sequence[int], recognition: Recognition) -> str:
    """What is said of pages that are pictures and were not read."""
    listed = ", ".join(map(str, numbers[:MOST_NAMED])) + (" …" if len(numbers) > MOST_NAMED else "")
    what = f"{len(numbers):,} scanned page{'s were' if len(numbers) > 1 else ' was'} not read ({listed})"
    if recognition.is_installed:
        return f"{what}: there was no time left. DOCMIND_INGEST__TIMEOUT_S gives a file more."
    return f"{what}: {HOW_TO_GET_ONE}, delete the document and ingest it again."
