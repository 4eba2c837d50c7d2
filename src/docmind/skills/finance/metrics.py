"""The names that one metric goes under in reports, and the measures that follow from two of them."""

from dataclasses import dataclass

from docmind.skills.finance.operations import Operation
from docmind.skills.finance.terms import terms

_NAMES = {
    "revenue": ("net revenue", "total revenue", "net sales", "sales", "turnover"),
    "net income": ("net profit", "net earnings", "net result", "profit for the year", "profit for the period"),
    "operating income": ("operating profit", "operating result", "income from operations", "EBIT"),
    "gross profit": ("gross margin",),
    "operating expenses": (
        "operating costs",
        "operational expenditures",
        "operating expenditures",
        "operational costs",
    ),
    "net cash provided by operating activities": (
        "operating cash flow",
        "cash flow from operations",
        "net cash from operations",
        "cash flows from operations",
        "net cash from operating activities",
        "cash flow from operating activities",
        "cash from operating activities",
    ),
    "inventories": ("inventory", "stocks"),
    "cost of sales": ("cost of revenue", "cost of goods sold", "COGS"),
    "research and development": ("R&D",),
    "selling, general and administrative": ("SG&A",),
    "earnings per share": ("EPS", "income per share"),
    "equity": ("shareholders' equity", "stockholders' equity"),
    "debt": ("borrowings", "loans"),
    "employees": ("headcount", "staff", "workforce", "people", "employ"),
    "capital expenditure": ("capex", "purchases of property, plant and equipment"),
    "property, plant and equipment": ("PP&E", "tangible assets"),
    "income tax": ("taxation",),
    "trade receivables": ("accounts receivable",),
    "trade payables": ("accounts payable",),
}


@dataclass(frozen=True, slots=True)
class MadeOf:
    """A measure that reports may leave to their readers: its two figures, and what is done with them."""

    name: str
    phrases: tuple[str, str]
    operation: Operation = Operation.SHARE


_RATIOS = (
    MadeOf("current ratio", ("total current assets", "total current liabilities"), Operation.RATIO),
    MadeOf("EBITDA", ("operating income", "depreciation and amortisation"), Operation.SUM),
    MadeOf("gross margin", ("gross profit", "revenue")),
    MadeOf("operating margin", ("operating income", "revenue")),
    MadeOf("EBIT margin", ("operating income", "revenue")),
    MadeOf("net margin", ("net income", "revenue")),
    MadeOf("profit margin", ("net income", "revenue")),
    MadeOf("return on equity", ("net income", "equity")),
    MadeOf("return on assets", ("net income", "total assets")),
)
_BY_TERMS = {terms(name): metric for metric, others in _NAMES.items() for name in (metric, *others)}
_LONGEST = max(map(len, _BY_TERMS))


def metrics_in(words: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The metrics named among some terms, each with those that name it; a longer name hides the shorter ones in it."""
    found: dict[str, tuple[str, ...]] = {}
    at = 0
    while at < len(words):
        lengths = range(min(_LONGEST, len(words) - at), 0, -1)
        name = next((words[at : at + length] for length in lengths if words[at : at + length] in _BY_TERMS), ())
        if name:
            metric = _BY_TERMS[name]
            found[metric] = found.get(metric, ()) + name
        at += len(name) or 1
    return found


def names_of(metric: str) -> tuple[str, ...]:
    """All names of a metric, for searching with."""
    return (metric, *_NAMES.get(metric, ()))


def made_of(text: str) -> MadeOf | None:
    """The ratio that a text names, for documents that do not state it."""
    lower = text.lower()
    return next((made for made in _RATIOS if made.name.lower() in lower), None)
