"""What fits on filings are made on: the figures that questions take, beside every row that is found for them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from docmind.bench.finance.filings_set import FilingQuestion, Kind, Page
from docmind.bench.workbench import SCOPE
from docmind.domain.search import Hit
from docmind.runtime.engine import DocMind
from docmind.skills.finance.evidence.choice import Candidate, WantedFigure
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.evidence.lookup import wanted_by
from docmind.skills.finance.plan.lookups import wanted_of
from docmind.skills.finance.plan.plan import expanded
from docmind.skills.finance.plan.rule_planner import read_plan
from docmind.skills.finance.question import read_question
from docmind.skills.finance.search.query import ProcessedQuery, plan_of, process, with_plan
from docmind.skills.finance.search.ranking import owners_of
from docmind.skills.finance.search.searches import for_question
from docmind.workflows.finance.retrieval import CANDIDATES, Library, in_turn

NEAR = Decimal("0.002")
"""How far off a figure may be by rounding, as a share."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question, how it was read, and the passages that were found for it."""

    question: FilingQuestion
    asked: ProcessedQuery
    hits: list[Hit]


def collected(engine: DocMind, questions: Sequence[FilingQuestion]) -> list[Case]:
    """Every question with what the first searches for it find."""
    return asyncio.run(_collect(engine, questions))


async def _collect(engine: DocMind, questions: Sequence[FilingQuestion]) -> list[Case]:
    library = await Library.open(engine.services(SCOPE), SCOPE)
    cases = []
    for question in questions:
        asked = process(question.text, library.tickers, library.reports)
        plan = read_plan(asked["question"], list(library.tickers))
        if plan is not None:
            asked = with_plan(asked, plan, list(library.tickers), library.reports)
        found = await library.candidates(for_question(asked))
        cases.append(Case(question, asked, in_turn(found, CANDIDATES if plan is None else 2 * CANDIDATES)))
    return cases


def wanted_in(case: Case) -> Iterator[tuple[WantedFigure, Evidence]]:
    """What a question takes: each lookup of its plan, or what it asks for as it stands."""
    plan, companies = plan_of(case.asked), case.asked["companies"]
    whole = Evidence([hit.passage for hit in case.hits], owners_of(case.hits))
    for lookup in expanded(plan).lookups if plan is not None else ():
        yield wanted_of(lookup), whole.of(lookup.company) if lookup.company in whole.companies else whole
    if plan is None and case.question.kind is Kind.LOOKUP:
        own = whole.of(companies[0]) if len(companies) == 1 else whole
        yield wanted_by(read_question(case.asked["question"]), companies), own


def which_are_meant(case: Case, found: Sequence[Candidate]) -> NDArray[np.bool_]:
    """The rows that the answer rests on, and all that say the same: one figure may stand in many tables."""
    pages = {hit.passage.id: Page(hit.document.file_name, hit.passage.page or 0) for hit in case.hits}
    meant = {one.sizes for one in found if _is_meant(case.question, one, pages)}
    return np.array([one.dated and one.sizes in meant for one in found], np.bool_)


def _is_meant(question: FilingQuestion, one: Candidate, pages: dict[str, Page]) -> bool:
    """Whether a row says the value that is wanted, or stands in a quote of the evidence."""
    wanted = question.value
    if question.kind is Kind.LOOKUP and wanted is not None:
        size = wanted.size.value
        return one.dated and all(abs(value - size) <= NEAR * size for value in one.sizes)
    label, quotes = _squeezed(one.series.label), [_squeezed(quote) for quote in question.quotes]
    numbers = [_squeezed(figure.quantity.text).strip("$()") for figure in one.figures]
    there = all(pages[figure.source] in question.pages for figure in one.figures)
    return there and any(label in quote and all(number in quote for number in numbers) for quote in quotes)


def _squeezed(text: str) -> str:
    return "".join(text.split())
