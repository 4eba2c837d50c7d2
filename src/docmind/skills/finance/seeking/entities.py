"""Who, what and when a question is about: companies by name and ticker, metrics by all their names, years, quarters."""

import re
from collections.abc import Collection, Mapping, Sequence

from docmind.domain.companies import name_key, word_key
from docmind.skills.finance.catalogue import measure_in, metrics_in, names_of, parts_in
from docmind.skills.finance.chart_request import chart_kind, without_request
from docmind.skills.finance.company_names import named, short_name
from docmind.skills.finance.compound_questions import second_question, split_question
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.question_phrases import long_form, names_something
from docmind.skills.finance.seeking.processed import ProcessedQuery
from docmind.skills.finance.seeking.reports import Report, about, dated, kinds_asked
from docmind.skills.finance.terms import terms
from docmind.skills.question import names

MOST_REPORTS = 8
"""Reports that are looked into for how something moved: the latest."""
MOST_YEARS = 12
"""Years that are looked for one by one: the latest."""
_BEFORE = (Operation.GROWTH, Operation.DIFFERENCE)
"""Operations that compare a single year with the one before it."""
_SENTENCE_END = re.compile(r"(?:^|[.?!:]\s*[\"“(]?)$")


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
    first, unread = split_question(long_form(_spelt_out(without_request(text), tickers)))
    second = second_question(first, unread)
    companies = named(f"{first} {unread}", list(tickers))
    theirs = [report for report in reports if not companies or report["company"] in companies]
    own = theirs if len(companies) == 1 else []
    plain, meant = dated(first, own)
    besides, also_meant = dated(second, own)
    question = read_question(plain)
    both = [question, read_question(besides)] if besides else [question]
    over_all = question.operation is Operation.DEVELOPMENT or question.of_periods
    meant = own[-MOST_REPORTS:] if over_all and len(question.periods) < 2 else meant + also_meant
    years = sorted({year for one in both for year in _years(one)})
    quarters = sorted({period.quarter for one in both for period in one.periods if period.quarter})
    metrics = list(dict.fromkeys(metric for one in both for metric in metrics_asked(one)))
    return {
        "whole": text,
        "question": plain,
        "augmented_query": _augmented(plain, metrics),
        "operation": question.operation.value,
        "metrics": metrics,
        "companies": companies,
        "years": years,
        "quarters": quarters,
        "document_types": kinds_asked(text, theirs),
        "reports": meant,
        "about": about(companies, read_question(dated(long_form(text), own)[0]).periods, theirs)[:MOST_REPORTS],
        "unread": unread,
        "besides": besides,
        "names": other_names(text, tickers),
        "strangers": [],
        "wants_chart": wants_chart,
        "chart_kind": chart_kind(text) or "number",
        "is_follow_up": is_follow_up,
    }


def metrics_asked(question: FinanceQuestion) -> list[str]:
    """The metrics a question names, with those that a ratio it names is made of."""
    return list(dict.fromkeys((*question.metrics, *parts_in(question.text))))


def _spelt_out(text: str, tickers: Mapping[str, str | None]) -> str:
    """With companies by their names instead of their tickers, which stand in no table.

    Where the company is named besides, the letters may mean something else: Salesforce (CRM) sells CRM. Who writes
    everything small writes tickers so too.
    """
    known, small = set(named(text, list(tickers))), text == text.lower()
    for company, ticker in tickers.items():
        written = ticker.lower() if ticker and small and len(ticker) > 2 else ticker or ""
        if len(written) > 1 and written in text and company not in known:
            text = re.sub(rf"\b{re.escape(written)}\b", short_name(company, tickers), text)
    return text


def _years(question: FinanceQuestion) -> list[int]:
    years = sorted({period.year for period in question.stretch if period.year})
    if len(years) == 1 and question.operation in _BEFORE:
        return [years[0] - 1, *years]
    return years[-MOST_YEARS:]


def other_names(text: str, tickers: Mapping[str, str | None]) -> list[str]:
    """Names that are neither a company's nor of a metric, and which a person or a thing must go by.

    What begins a sentence has its capital from there, and initials (USD, FCF) are mostly measures.
    """
    known = {word for company in tickers for word in name_key(company)} | {str(one).lower() for one in tickers.values()}
    return [
        name.text
        for name in names(text)
        if not _SENTENCE_END.search(text[: name.span.start])
        and not name.text.isupper()
        and not any(map(str.isdigit, name.text))
        and not _is_known(name.text, known)
    ]


def owning(text: str, found: Sequence[str]) -> list[str]:
    """Those of the names that something is said to belong to."""
    return [name for name in found if re.search(rf"{re.escape(name)}(?:['’]s?\b|s?['’])", text)]


def _is_known(name: str, known: Collection[str]) -> bool:
    if metrics_in(terms(name)) or measure_in(name) or not names_something(name):
        return True
    return any(word_key(word) in known for word in re.findall(r"[\w'’]+", name))


def _augmented(text: str, metrics: Sequence[str]) -> str:
    lower = text.lower()
    added = [name for metric in metrics for name in names_of(metric) if name.lower() not in lower]
    return " ".join((text, *added))
