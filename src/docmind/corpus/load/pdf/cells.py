"""The cells of one line of an unruled table, told by the gaps between its words."""

import re

from docmind.corpus.load.grid import closes_value, is_currency, is_value, is_year
from docmind.corpus.load.pdf.words import COLUMN_GAP, Segment

Row = list[Segment]

# Sign, bracket, number, bracket, unit, footnote.
FIGURE_WORDS = 6
_WHOLE_DATE = re.compile(r"(.{0,80}\b[A-Z][a-z]{2,8}\.? \d{1,2},) ((?:19|20)\d\d)")


def line_cells(line: Row) -> Row:
    """Cells of a line: parted by wide gaps and before currency signs; a figure has its sign and bracket with it."""
    cells: Row = []
    words = sorted((word for segment in line for word in segment.words), key=lambda word: word.x0)
    for word in words:
        if not cells:
            cells.append(Segment([word]))
            continue
        last = cells[-1]
        gap = (word.x0 - last.x1) / max(last.height, word.height)
        figure = len(last.words) <= FIGURE_WORDS and is_value(last.text)
        figure_ends = figure and (is_currency(word.text) or (is_value(word.text) and gap > 0.4))
        if closes_value(word.text) and figure and gap < 3 * COLUMN_GAP:
            last.add(word)
        elif gap > COLUMN_GAP or figure_ends or (is_currency(word.text) and gap > 0.5):
            cells.append(Segment([word]))
        else:
            last.add(word)
    return _date_alike(_join_currency(cells))


def _join_currency(cells: Row) -> Row:
    joined: Row = []
    for cell in cells:
        if joined and is_currency(joined[-1].text) and is_value(cell.text):
            sign = joined.pop()
            first = cell.words[0]
            joined.append(Segment([first._replace(text=sign.text + first.text), *cell.words[1:]], left=sign.x0))
        else:
            joined.append(cell)
    return joined


def _date_alike(cells: Row) -> Row:
    """ "Years ended December 31, 2022 | 2021 | 2020" says the day once for all: each year is given it."""
    first = next((index for index, cell in enumerate(cells) if _WHOLE_DATE.fullmatch(cell.text)), None)
    if first is None or first + 1 == len(cells) or not all(is_year(cell.text) for cell in cells[first + 1 :]):
        return cells
    said = cells[first].text.removesuffix(cells[first].words[-1].text)
    years = [cell.words[-1] if cell is cells[first] else cell.words[0] for cell in cells[first:]]
    return [*cells[:first], *(Segment([year._replace(text=said + year.text)]) for year in years)]
