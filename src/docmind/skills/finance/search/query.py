"""A question as it is searched for: of whom, what and when it asks, what besides, and the plan for it."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from docmind.domain.companies import name_key, word_key
from docmind.skills.finance.catalogue import measure_in, metrics_in, names_of, parts_in
from docmind.skills.finance.companies import named, short_name
from docmind.skills.finance.operations import Operation, operation_of
from docmind.skills.finance.phrases import long_form, names_something, subject_of, terms, times_of
from docmind.skills.finance.plan import Lookup, Plan
from docmind.skills.finance.question import (
    FinanceQuestion,
    Show,
    asks_for_figures,
    chart_kind,
    read_question,
    without_chart_request,
)
from docmind.skills.finance.search.reports import Report, about, dated, kinds_asked, put_together
from docmind.skills.question import names, parts


class ProcessedQuery(TypedDict):
    """A question that can be understood alone, and the entities in it."""

    whole: str
    """All that is asked, as the reader is asked it."""
    question: str
    """The first of what is asked, with the periods that the reports it names are of."""
    augmented_query: str
    """With every other name of its metrics, for searching by words."""
    operation: str
    metrics: list[str]
    companies: list[str]
    """Those of the documents that it names, as the documents write them."""
    years: list[int]
    """Every year whose figures it takes to answer."""
    quarters: list[int]
    document_types: list[str]
    reports: list[Report]
    """Those that it names, or whose figures it takes to tell how something moved."""
    about: list[Report]
    """Those of the companies and years it names, in which sentences are looked for; none where it names no time."""
    unread: str
    """What it asks besides, in its own words."""
    besides: str
    """The same as it can be understood alone, where it asks for figures."""
    names: list[str]
    """Names in it that are not a company's: of products, people or places."""
    strangers: list[str]
    """Names in it that nothing in the documents goes by."""
    absent: NotRequired[list[str]]
    """Companies that were named beside others, and that there is no report of."""
    wants_chart: bool
    chart_kind: Show
    """The kind of chart that is asked for; `number` where that is left open."""
    is_follow_up: bool
    planned_whole: NotRequired[bool]
    """Whether the plan is for all that is asked, and not only for the first of two questions."""
    plan: NotRequired[dict[str, Any]]
    """What a chat model plans to look up and to calculate, where there is one and its plan is for the question."""


class Gap(TypedDict):
    """One thing that the passages lack; what does not matter for it is empty."""

    company: str
    metric: str
    year: int | None
    reason: str
    """As a sentence."""
    words: NotRequired[str]
    """What to search for, where it is not a metric."""


def unreported(asked: ProcessedQuery) -> list[str]:
    """What is said of the companies that there is no report of, a sentence each."""
    return [f"There is no report of {name}." for name in asked.get("absent", ())]


def plan_of(asked: ProcessedQuery) -> Plan | None:
    plan = asked.get("plan")
    return Plan.model_validate(plan) if plan is not None else None


_SECOND = re.compile(
    r"(?:,? and |; |\? (?:and |if so, )?)"
    r"(?=(?:how|what|why) (?:do|does|did|is|was|are|were|might|may|could|can|have|has)\b)",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"\b(?:why|might|may|could|can|causes?|drivers?|factors?|reasons?|focus(?:es)?|implications?|impacts?|effects?)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"^how (?:do|does|did) (?:it|this|that|these|those|they) compare"
    r"(?= (?:to|with|against|across|over) (?:\w{1,10} ){0,3}(?:20\d\d|q[1-4]|quarters?|years?|periods?|time)\b)",
    re.IGNORECASE,
)
_BARE_QUARTER = re.compile(r"\bq([1-4])\b(?! ?(?:of )?(?:fiscal |fy )?(?:20)?\d)", re.IGNORECASE)
_YEAR = re.compile(r"\b20\d\d\b")
_ASIDE = re.compile(r" \([^()]{1,200}\)")
_MOVES = {
    Operation.GROWTH: "What was the percentage change in {thing} {when}?",
    Operation.DIFFERENCE: "What was the change in {thing} {when}?",
    Operation.DEVELOPMENT: "How did {thing} change {when}?",
}


def split_question(text: str) -> tuple[str, str]:
    """The first of two questions in one, and the other as it stands; a single question is its own first."""
    found = _SECOND.search(text)
    return (text[: found.start()].rstrip(" ,") + "?", text[found.end() :].strip()) if found is not None else (text, "")


def second_question(first: str, second: str) -> str:
    """The second question as it can be understood without the first; nothing where it does not ask for figures."""
    if not second or _IN_WORDS.search(second):
        return ""
    plain = _COMPARED.sub("how did it change", second).replace(" across ", " over ")
    both = parts(f"{first.rstrip('?')}, and {plain}")
    if len(both) != 2:
        return ""
    asked, before = read_question(_completed(first, both[1])), read_question(first)
    if asked.operation is Operation.LOOKUP:
        # The same metric at the same time is asked for something that is no figure.
        other = (asked.metrics, asked.periods) != (before.metrics, before.periods)
        return asked.text if asked.metrics and other else ""
    return asked.text if asks_for_figures(asked) and asked.operation is not Operation.EXPLAIN else ""


def _completed(first: str, second: str) -> str:
    """What moves is what was asked first, if nothing else is named, and to the time of it; a quarter is of its year."""
    years = set(_YEAR.findall(first))
    if len(years) == 1:
        second = _BARE_QUARTER.sub(rf"Q\1 {years.pop()}", second)
    asked, since, until = _MOVES.get(operation_of(second), ""), times_of(second), times_of(first)
    own, thing = subject_of(_ASIDE.sub("", second)), subject_of(first)
    if not asked or not (own or thing) or len(until) != 1:
        return second
    # What was asked first says more of the same: whose it is.
    thing = thing if set(terms(own)).issubset(terms(thing)) else own
    if len(since) == 1 and since != until:
        return asked.format(thing=thing, when=f"from {since[0]} to {until[0]}")
    return second if own else asked.format(thing=thing, when=f"in {until[0]}")


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
    first, unread = split_question(long_form(_spelt_out(without_chart_request(text), tickers)))
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


def with_plan(asked: ProcessedQuery, plan: Plan, companies: Sequence[str], reports: Sequence[Report]) -> ProcessedQuery:
    """`companies` are those that there are documents of, `reports` the reports that are known of, oldest first."""
    plan = plan.model_copy(update={"lookups": [_dated_lookup(lookup, reports) for lookup in plan.lookups]})
    plan = put_together(plan, reports)
    lookups = plan.lookups
    known = [lookup.company for lookup in lookups if lookup.company in companies]
    years = {period.year for lookup in lookups for period in lookup.periods if period.year}
    metrics = [metric for lookup in lookups for metric in _metrics_of(lookup)]
    return {
        **asked,
        "companies": list(dict.fromkeys((*asked["companies"], *known))),
        "years": sorted(years.union(asked["years"])),
        "metrics": list(dict.fromkeys((*asked["metrics"], *metrics))),
        "wants_chart": asked["wants_chart"] or plan.show != "number",
        "plan": plan.model_dump(mode="json"),
    }


def _dated_lookup(lookup: Lookup, reports: Sequence[Report]) -> Lookup:
    """A quarter is the one that the company's own report calls so."""
    period, _ = dated(lookup.period, [report for report in reports if report["company"] == lookup.company])
    return lookup.model_copy(update={"period": period.removeprefix("in ")})


def _metrics_of(lookup: Lookup) -> list[str]:
    phrases = (lookup.item, *parts_in(lookup.item))
    return [metric for phrase in phrases for metric in metrics_in(terms(phrase))]
