"""Who, what and when a question is about: companies by name and ticker, metrics by all their names, years, quarters."""

import re
from collections.abc import Collection, Mapping, Sequence

from docmind.skills.finance.asking import names_something
from docmind.skills.finance.besides import alone, apart
from docmind.skills.finance.chart_request import without_request
from docmind.skills.finance.companies import named, short_name, telling
from docmind.skills.finance.catalogue import measure_in, metrics_in, names_of, parts_in
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.seeking.processed import ProcessedQuery
from docmind.skills.finance.seeking.reports import Report, dated
from docmind.skills.finance.terms import terms

MOST_REPORTS = 8
"""Reports that are looked into for how something moved: the latest."""
MOST_YEARS = 12
"""Years that are looked for one by one: the latest."""
_TYPES = {
    "10-k": re.compile(r"\b10-?k\b", re.IGNORECASE),
    "10-q": re.compile(r"\b10-?q\b", re.IGNORECASE),
    "8-k": re.compile(r"\b8-?k\b", re.IGNORECASE),
    "annual report": re.compile(r"\bannual reports?\b", re.IGNORECASE),
    "quarterly report": re.compile(r"\b(?:quarterly|interim) reports?\b", re.IGNORECASE),
}
_BEFORE = (Operation.GROWTH, Operation.DIFFERENCE)
"""Operations that compare a single year with the one before it."""
_CAPITALS = re.compile(r"[A-Z]{2,6}")


def process(
    text: str,
    tickers: Mapping[str, str | None],
    reports: Sequence[Report] = (),
    *,
    is_follow_up: bool = False,
    wants_chart: bool = False,
) -> ProcessedQuery:
    """Read a question that can be understood alone; `tickers` has the companies that there are documents of.

    `reports` are those that are known of, oldest first.
    """
    first, unread = apart(_spelt_out(without_request(text), tickers))
    second = alone(first, unread)
    companies = named(f"{first} {second}", list(tickers))
    own = [report for report in reports if companies == [report["company"]]]
    plain, meant = dated(first, own)
    besides, also_meant = dated(second, own)
    question = read_question(plain)
    both = [question, read_question(besides)] if besides else [question]
    over_all = question.operation is Operation.DEVELOPMENT or question.of_periods
    meant = own[-MOST_REPORTS:] if over_all and len(question.periods) < 2 else meant + also_meant
    metrics = list(dict.fromkeys(metric for one in both for metric in metrics_asked(one)))
    return {
        "question": plain,
        "augmented_query": _augmented(plain, metrics),
        "operation": question.operation.value,
        "metrics": metrics,
        "companies": companies,
        "years": sorted({year for one in both for year in _years(one)}),
        "quarters": sorted({period.quarter for one in both for period in one.periods if period.quarter}),
        "document_types": [kind for kind, pattern in _TYPES.items() if pattern.search(plain)],
        "reports": meant,
        "unread": unread,
        "besides": besides,
        "strangers": _strangers(question, companies),
        "wants_chart": wants_chart,
        "is_follow_up": is_follow_up,
    }


def metrics_asked(question: FinanceQuestion) -> list[str]:
    """The metrics a question names, with those that a ratio it names is made of."""
    return list(dict.fromkeys((*question.metrics, *parts_in(question.text))))


def _spelt_out(text: str, tickers: Mapping[str, str | None]) -> str:
    """With companies by their names instead of their tickers, which stand in no table."""
    for company, ticker in tickers.items():
        text = re.sub(rf"\b{re.escape(ticker)}\b", short_name(company, tickers), text) if ticker else text
    return text


def _years(question: FinanceQuestion) -> list[int]:
    years = sorted({period.year for period in question.stretch if period.year})
    if len(years) == 1 and question.operation in _BEFORE:
        return [years[0] - 1, *years]
    return years[-MOST_YEARS:]


def _strangers(question: FinanceQuestion, companies: Sequence[str]) -> list[str]:
    """Names that are neither a company's nor of a metric."""
    known = {word for company in companies for word in telling(company, ())}
    return [name for name in question.companies if not _is_known(name, known)]


def _is_known(name: str, known: Collection[str]) -> bool:
    measure = metrics_in(terms(name)) or measure_in(name)
    return bool(measure) or not names_something(name) or any(word.lower() in known for word in re.findall(r"\w+", name))


def _augmented(text: str, metrics: Sequence[str]) -> str:
    lower = text.lower()
    added = [name for metric in metrics for name in names_of(metric) if name.lower() not in lower]
    return " ".join((text, *added))


def possible_tickers(text: str) -> list[str]:
    """Words in capitals, which may be tickers of companies that the text names in no other way."""
    return list(dict.fromkeys(_CAPITALS.findall(text)))
