"""What the passages lack for an answer, told by company, metric and year, so that it can be searched for."""

from collections.abc import Iterator
from itertools import product

from docmind.quality.quantities import Period
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.catalogue import metrics_in, names_of, parts_in
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.plan import Unfound, look_up
from docmind.skills.finance.plan.lookups import written_out
from docmind.skills.finance.seeking.processed import Gap, ProcessedQuery, plan_of
from docmind.skills.finance.terms import terms


def find_gaps(asked: ProcessedQuery, analysis: Analysis, evidence: Evidence) -> list[Gap]:
    """What is missing where the passages do not answer; nothing where they do beyond doubt."""
    missing = analysis.missing if asked["companies"] else ()
    unsettled = analysis.refusal or " ".join((*missing, *analysis.doubts))
    # What stands nowhere in the documents is not found by looking again.
    if not unsettled or unheard_of(asked, evidence):
        return []
    found = [*_companies(asked, evidence), *_figures(asked, evidence)]
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


def _companies(asked: ProcessedQuery, evidence: Evidence) -> Iterator[Gap]:
    for company in asked["companies"]:
        if company not in evidence.companies:
            yield _gap(f"No passage is of {company}.", company=company)


def _figures(asked: ProcessedQuery, evidence: Evidence) -> Iterator[Gap]:
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
