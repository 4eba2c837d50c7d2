"""Numbers as quantities: read with their exact characters, compared to their precision, computed with exactly."""

from docmind.quality.quantities.agreement import Agreement, agrees, same_period
from docmind.quality.quantities.arithmetic import (
    average,
    cagr,
    days,
    difference,
    growth,
    less,
    ratio,
    share,
    stretch,
    total,
)
from docmind.quality.quantities.checks import Ranking, Sums, TotalCheck, check_total, rank
from docmind.quality.quantities.computed import Computed, Operand, Refusal
from docmind.quality.quantities.figure import Aspect, Figure
from docmind.quality.quantities.period import Period
from docmind.quality.quantities.prose import read_prose
from docmind.quality.quantities.quantity import Bound, Quantity
from docmind.quality.quantities.quantity_parser import Context, Mention, read, read_quantities
from docmind.quality.quantities.tables import read_table
from docmind.quality.quantities.unit_terms import Terms, read_terms, usual_terms
from docmind.quality.quantities.writing import write

__all__ = [
    "Agreement",
    "Aspect",
    "Bound",
    "Computed",
    "Context",
    "Figure",
    "Mention",
    "Operand",
    "Period",
    "Quantity",
    "Ranking",
    "Refusal",
    "Sums",
    "Terms",
    "TotalCheck",
    "agrees",
    "average",
    "cagr",
    "check_total",
    "days",
    "difference",
    "growth",
    "less",
    "rank",
    "ratio",
    "read",
    "read_prose",
    "read_quantities",
    "read_table",
    "read_terms",
    "same_period",
    "share",
    "stretch",
    "total",
    "usual_terms",
    "write",
]
