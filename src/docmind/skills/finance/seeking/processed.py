"""What a question was read as, and what was not found for it, as plain data that a run can keep."""

from typing import Any, NotRequired, TypedDict

from docmind.skills.finance.chart_request import Show
from docmind.skills.finance.plan import Plan
from docmind.skills.finance.seeking.reports import Report


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
