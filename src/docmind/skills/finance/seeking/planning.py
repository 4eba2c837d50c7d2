"""A question and the plan for it together: the plan's companies, years and metrics are looked for as well."""

from collections.abc import Sequence

from docmind.skills.finance.catalogue import metrics_in, parts_in
from docmind.skills.finance.plan import Lookup, Plan
from docmind.skills.finance.seeking.processed import ProcessedQuery
from docmind.skills.finance.seeking.reports import Report, dated
from docmind.skills.finance.seeking.stretches import put_together
from docmind.skills.finance.terms import terms


def with_plan(asked: ProcessedQuery, plan: Plan, companies: Sequence[str], reports: Sequence[Report]) -> ProcessedQuery:
    """`companies` are those that there are documents of, `reports` the reports that are known of, oldest first."""
    plan = plan.model_copy(update={"lookups": [_dated(lookup, reports) for lookup in plan.lookups]})
    plan = put_together(plan, reports)
    lookups = plan.lookups
    known = [lookup.company for lookup in lookups if lookup.company in companies]
    years = {period.year for lookup in lookups for period in lookup.periods if period.year}
    metrics = [metric for lookup in lookups for metric in _metrics(lookup)]
    return {
        **asked,
        "companies": list(dict.fromkeys((*asked["companies"], *known))),
        "years": sorted(years.union(asked["years"])),
        "metrics": list(dict.fromkeys((*asked["metrics"], *metrics))),
        "wants_chart": asked["wants_chart"] or plan.show != "number",
        "plan": plan.model_dump(mode="json"),
    }


def _dated(lookup: Lookup, reports: Sequence[Report]) -> Lookup:
    """A quarter is the one that the company's own report calls so."""
    period, _ = dated(lookup.period, [report for report in reports if report["company"] == lookup.company])
    return lookup.model_copy(update={"period": period.removeprefix("in ")})


def _metrics(lookup: Lookup) -> list[str]:
    phrases = (lookup.item, *parts_in(lookup.item))
    return [metric for phrase in phrases for metric in metrics_in(terms(phrase))]
