"""A figure as a short sentence, for the reader to tell how far it answers a question."""

from docmind.quality.quantities import Figure
from docmind.skills.finance.series import Series
from docmind.skills.finance.tables import Table

LONGEST = 80
"""Characters of a heading: a longer one is a sentence, of which the beginning says what the table is."""


def heading_of(series: Series, table: Table) -> str:
    """What a row stands under: the table, and the heading among its rows."""
    section = series.row.section if series.row is not None else ""
    return ". ".join(filter(None, ((table.caption or table.lead)[:LONGEST].strip(" ."), section[:LONGEST])))


def name_of(series: Series) -> str:
    """What a row is called, with what its columns say beside the time."""
    return " ".join(filter(None, (series.label, " ".join(sorted(series.column)))))


def state(series: Series, figure: Figure, table: Table) -> str:
    """Cash flows. Purchases of property, June 30, 2023: 10,000 million."""
    when = figure.column.strip() or (figure.period.text if figure.period is not None else "")
    unit = {10**3: " thousand", 10**6: " million", 10**9: " billion"}.get(int(figure.scale), "")
    percent = "%" if figure.quantity.unit == "percent" and "%" not in figure.quantity.text else ""
    told = f"{series.label}, {when}: {figure.quantity.text}{percent}{unit if not percent else ''}"
    return f"{heading_of(series, table)}\n\n{told}."
