"""Where to look: what a question needs, then what the passages lack, as code finds it and as a chat model says."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from docmind.domain.documents import Passage
from docmind.domain.search import Filters
from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.quantities import Period
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.catalogue import metrics_in, names_of, parts_in, title_of
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.lookup import FORETOLD
from docmind.skills.finance.phrases import terms
from docmind.skills.finance.plan import Unfound, look_up
from docmind.skills.finance.plan.lookups import written_out
from docmind.skills.finance.plan.plan import expanded
from docmind.skills.finance.search.query import Gap, ProcessedQuery, plan_of
from docmind.skills.finance.search.reports import Report
from docmind.skills.prompts import instructions, room

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


def find_gaps(asked: ProcessedQuery, analysis: Analysis, evidence: Evidence) -> list[Gap]:
    """What is missing where the passages do not answer; nothing where they do beyond doubt."""
    missing = analysis.missing if asked["companies"] else ()
    unsettled = analysis.refusal or " ".join((*missing, *analysis.doubts))
    # What stands nowhere in the documents is not found by looking again.
    if not unsettled or unheard_of(asked, evidence):
        return []
    found = [*_company_gaps(asked, evidence), *_figure_gaps(asked, evidence)]
    return found or [_gap(unsettled)]


def plan_gaps(asked: ProcessedQuery, evidence: Evidence) -> list[Gap]:
    """The figures of the plan, if there is one, that the passages do not hold."""
    plan = plan_of(asked)
    unfound = look_up(written_out(plan, evidence), evidence).unfound if plan is not None else []
    return [_of_lookup(one, asked) for one in unfound]


def _of_lookup(unfound: Unfound, asked: ProcessedQuery) -> Gap:
    lookup = unfound.lookup
    company = lookup.company if lookup.company in asked["companies"] else ""
    years = [period.year for period in lookup.periods]
    metrics = list(metrics_in(terms(lookup.item)))
    others = [name for metric in metrics for name in names_of(metric)]
    words = dict.fromkeys((lookup.phrase, *others, *([] if company else [lookup.company])))
    year = years[0] if len(years) == 1 else None
    gap = _gap(unfound.reason, company=company, metric=metrics[0] if len(metrics) == 1 else "", year=year)
    return {**gap, "words": " ".join(filter(None, words))}


def unheard_of(asked: ProcessedQuery, evidence: Evidence) -> list[str]:
    """Names in the question that stand nowhere in the passages: what these say is of something else."""
    said = " ".join(part for passage in evidence.passages for part in (passage.text, *passage.heading)).lower()
    return [name for name in asked["strangers"] if not all(word in said for word in name.lower().split())]


def _company_gaps(asked: ProcessedQuery, evidence: Evidence) -> Iterator[Gap]:
    for company in asked["companies"]:
        if company not in evidence.companies:
            yield _gap(f"No passage is of {company}.", company=company)


def _figure_gaps(asked: ProcessedQuery, evidence: Evidence) -> Iterator[Gap]:
    """The years and quarters of each metric for which a company's passages hold no figure."""
    quarters: list[int | None] = [*asked["quarters"]] or [None]
    for company in asked["companies"] or evidence.companies or [""]:
        own = evidence.of(company) if company else evidence
        for metric in (*asked["metrics"], *_parts(asked)):
            series = own.best(metric)
            of = f" of {company}" if company else ""
            if series is None:
                yield _gap(f"There is no figure for {metric}{of}.", company=company, metric=metric)
                continue
            for year, quarter in product(asked["years"], quarters):
                if series.at(Period(year, quarter)) is None:
                    when = f"Q{quarter} {year}" if quarter else year
                    reason = f"There is no figure for {metric}{of} in {when}."
                    yield _gap(reason, company=company, metric=metric, year=year)


def _parts(asked: ProcessedQuery) -> list[str]:
    """What a measure that the question names is made of, as far as it is no metric by name."""
    return [part for part in parts_in(asked["question"]) if not metrics_in(terms(part))]


def _gap(reason: str, *, company: str = "", metric: str = "", year: int | None = None) -> Gap:
    return {"company": company, "metric": metric, "year": year, "reason": reason}


MOST_ADDED = 3
"""Searches that a model may add."""
_LONGEST_SEARCH = 120
_LONGEST_PASSAGE = 1_500


class ContextCheck(BaseModel):
    """What passages lack for a question."""

    missing: Annotated[list[str], Field(description="What is missing, each as a few words to search for.")]


async def missing_in(question: str, passages: Sequence[Passage], chat: ChatModel) -> tuple[list[Gap], str]:
    """What the model misses, and why it was not heard."""
    said = await ask(chat, context_prompt(question, passages), ContextCheck, room=room("check_context"))
    if isinstance(said, Failure):
        return [], f"What is missing was told by code alone. {said.reason}"
    words = dict.fromkeys(" ".join(one.split())[:_LONGEST_SEARCH] for one in said.missing)
    return [_gap_of_words(one) for one in words if any(map(str.isalnum, one))][:MOST_ADDED], ""


def context_prompt(question: str, passages: Sequence[Passage]) -> list[Message]:
    """What a chat model is told."""
    listed = "\n\n".join(passage.text[:_LONGEST_PASSAGE] for passage in passages)
    return [
        Message("system", instructions("check_context")),
        Message.user(f"Passages:\n\n{listed}", f"Question: {question}"),
    ]


def _gap_of_words(words: str) -> Gap:
    return {"company": "", "metric": "", "year": None, "reason": f"Nothing was found on “{words}”.", "words": words}
