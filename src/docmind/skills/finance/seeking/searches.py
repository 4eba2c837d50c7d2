"""Where to look: the searches that a question needs, narrowed to a company and to reports that may tell the year."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from docmind.domain.search import Filters
from docmind.skills.finance.catalogue import names_of, title_of
from docmind.skills.finance.forecasting import FORETOLD
from docmind.skills.finance.plan.expanding import expanded
from docmind.skills.finance.seeking.processed import Gap, ProcessedQuery, plan_of
from docmind.skills.finance.seeking.reports import Report

MOST_NAMES = 6
"""Names of an item that are searched for at once."""


class Sought(NamedTuple):
    """One search."""

    query: str
    filters: Filters


def for_question(asked: ProcessedQuery) -> list[Sought]:
    """For each company the question itself, and its metrics by all their names in the reports that may tell of a year.

    A report tells the year before beside its own, so that the year narrows only what is searched besides the question.
    """
    years: list[int | None] = [*asked["years"]] or [None]
    found = [Sought(asked["augmented_query"], _within(report)) for report in asked["reports"]]
    foretold = FORETOLD.search(asked["question"]) is not None
    planned = list(_for_plan(asked))
    for company in _companies(asked):
        if foretold:
            # What was expected of a year stands in the report of the year before, which the question does not name.
            words = " ".join(("outlook: we expect", *asked["metrics"], *map(str, asked["years"])))
            found.append(Sought(words, _filters(asked, company)))
        found += [Sought(one, _filters(asked, company)) for one in (asked["question"], asked["besides"]) if one]
        # A plan says better than all words of a question together what is looked for.
        found += [Sought(asked["augmented_query"], _filters(asked, company, year)) for year in years if not planned]
    return list(dict.fromkeys((*planned, *found)))


def for_reading(asked: ProcessedQuery) -> list[Sought]:
    """The question in every report it is about; without a time, in all of each company it names.

    Besides with the other names of its metrics, by which a report may speak of them.
    """
    queries, kinds = dict.fromkeys((asked["whole"], asked["augmented_query"])), asked["document_types"]
    within = [one for one in asked["about"] if not kinds or one["kind"] in kinds] or asked["about"]
    if within and asked["companies"]:
        places = [_within(report) for report in within]
    elif within:
        years = tuple(dict.fromkeys(report["fiscal_year"] for report in within))
        places = [Filters(fiscal_year=years, document_type=tuple(kinds)), Filters()]
    else:
        places = [_filters(asked, company) for company in _companies(asked)]
    return list(dict.fromkeys(Sought(query, place) for query in queries for place in places))


def _for_plan(asked: ProcessedQuery) -> Iterator[Sought]:
    """Each figure that a plan looks up, among its company's reports."""
    plan = plan_of(asked)
    for lookup in expanded(plan).lookups if plan is not None else ():
        company = lookup.company if lookup.company in asked["companies"] else ""
        years = [period.year for period in lookup.periods if period.year]
        names = names_of(lookup.item)[:MOST_NAMES]
        words = " ".join(dict.fromkeys((title_of(lookup.item), lookup.segment, *names, lookup.period)))
        of_year = _filters(asked, company, max(years, default=None))
        yield Sought(words.strip(), replace(of_year, kind=("table",)) if title_of(lookup.item) else of_year)
        yield Sought(" ".join(filter(None, (lookup.phrase, lookup.period))), _filters(asked, company))


def for_gaps(gaps: Sequence[Gap], asked: ProcessedQuery, attempt: int) -> list[Sought]:
    """Exactly what is missing: by all names of the metric, at first in the reports of the year, then anywhere."""
    found = []
    for gap in gaps:
        words = gap.get("words") or (" ".join(names_of(gap["metric"])) if gap["metric"] else asked["augmented_query"])
        year = gap["year"]
        query = " ".join(filter(None, (gap["company"], words, str(year) if year else "")))
        narrowed = year if attempt < 2 else None
        companies = (gap["company"],) if gap["company"] else _companies(asked)
        found += [Sought(query, _filters(asked, company, narrowed)) for company in companies]
    return list(dict.fromkeys(found))


def _companies(asked: ProcessedQuery) -> tuple[str, ...]:
    return tuple(asked["companies"]) or ("",)


def _within(report: Report) -> Filters:
    quarter = report["quarter"]
    return Filters(
        company=(report["company"],), fiscal_year=(report["fiscal_year"],), quarter=(quarter,) if quarter else ()
    )


def _filters(asked: ProcessedQuery, company: str, year: int | None = None) -> Filters:
    return Filters(
        company=(company,) if company else (),
        fiscal_year=(year, year + 1) if year else (),
        quarter=tuple(asked["quarters"]) if year else (),
        document_type=tuple(asked["document_types"]),
    )
