"""The retrieval agent: understands the question, searches for what it needs, and again for exactly what is missing."""

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import Any

from langgraph.graph import END, StateGraph

from docmind.domain.companies import Company, companies_of
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.quality.quantities import Period, read
from docmind.skills.dialogue import History
from docmind.skills.finance import read_question
from docmind.skills.finance.companies import listed_with, named, without_names
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.follow_up import plan_of_follow_up, understood
from docmind.skills.finance.plan import Plan
from docmind.skills.finance.plan.chat_planner import Planned, Tickers, plan_figures, with_companies
from docmind.skills.finance.plan.plan import expanded
from docmind.skills.finance.plan.rule_planner import read_plan
from docmind.skills.finance.question import asks_for_figures, chart_kind, wants_chart
from docmind.skills.finance.search.query import Gap, ProcessedQuery, owning, plan_of, process, with_plan
from docmind.skills.finance.search.ranking import rerank
from docmind.skills.finance.search.reports import Report, reports_of
from docmind.skills.finance.search.searches import (
    Sought,
    find_gaps,
    for_gaps,
    for_question,
    for_reading,
    missing_in,
    plan_gaps,
)
from docmind.skills.question import names
from docmind.workflows.finance.analysis import answered
from docmind.workflows.finance.bounds import MAX_RETRIEVALS
from docmind.workflows.finance.context import chunk_of, history_of, hits_in, recall, scope_of, session_of, sources_in
from docmind.workflows.finance.edges import Agent, node, noted, route_after_validation, unless_failed
from docmind.workflows.finance.state import FinanceState, FinanceUpdate, asked_of
from docmind.workflows.services import Services
from docmind.workflows.step import Step

CANDIDATES = 30
"""Passages that are looked at (TOP_K_INITIAL)."""
QUARTER = 3
"""Months."""
MOST_NAMES = 3
"""Names of a question that are looked for in the whole workspace."""


@dataclass(frozen=True, slots=True)
class Library:
    """The reports of a scope: whose they are, and where to search them."""

    services: Services
    scope: Scope
    companies: Sequence[Company]
    reports: Sequence[Report]

    @classmethod
    async def open(cls, services: Services, scope: Scope) -> "Library":
        documents = await services.corpus.areports(scope)
        companies = companies_of(documents)
        names = {spelling: company.name for company in companies for spelling in company.spellings}
        known = [replace(one, company=names[one.company]) for one in documents if one.company]
        return cls(services, scope, companies, reports_of(known))

    @property
    def tickers(self) -> dict[str, str | None]:
        return {company.name: company.ticker for company in self.companies}

    async def search(self, sought: Sought, limit: int = CANDIDATES) -> list[Hit]:
        spellings = {company.name: company.spellings for company in self.companies}
        spelt = tuple(chain.from_iterable(spellings.get(one, (one,)) for one in sought.filters.company))
        filters = replace(sought.filters, company=spelt)
        found = await self.services.corpus.asearch(sought.query, self.scope, limit=limit, filters=filters)
        owners = {spelling: name for name, known in spellings.items() for spelling in known}
        return [_renamed(hit, owners.get(hit.document.metadata.company or "")) for hit in found]

    async def candidates(self, searches: Sequence[Sought]) -> list[list[Hit]]:
        """What each of the searches finds, all at once."""
        return list(await asyncio.gather(*map(self.search, searches)))

    async def to_read(self, asked: ProcessedQuery, limit: int) -> list[Hit]:
        """The passages in which sentences may answer: of every report that the question is about the best in turn."""
        found = await asyncio.gather(*(self.search(one, limit) for one in for_reading(asked)))
        quarters = {period.quarter for period in read_question(asked["whole"]).periods if period.quarter}
        return [hit for hit in in_turn(found, limit) if not quarters or _tells_of(quarters, hit)]

    async def without_absent(self, question: str) -> tuple[str, list[str]]:
        """The question without the companies beside those it names that no report speaks of, and these companies."""
        companies, metrics = named(question, list(self.tickers)), read_question(question).metrics
        listed = listed_with(companies, question, names(question)) if metrics else []
        ours = [one for one in self.companies if one.name in companies]
        filters = Filters(company=tuple(spelling for one in ours for spelling in one.spellings))
        search = self.services.corpus.asearch
        found = [await search(one.company, self.scope, limit=CANDIDATES, filters=filters) for one in listed]
        absent = [one for one, hits in zip(listed, found, strict=True) if not _is_in(one.company, hits)]
        for one in reversed(absent):
            question = question[: one.start] + question[one.end :]
        return question, [one.company for one in absent]

    async def unknown(self, question: str, asked: ProcessedQuery) -> list[str]:
        """Names of the question that stand nowhere in the documents, or own something and are no company here."""
        owners = owning(question, asked["names"]) if not asked["companies"] else []
        looked_for = asked["names"][:MOST_NAMES]
        search = self.services.corpus.asearch
        found = await asyncio.gather(*(search(one, self.scope, limit=CANDIDATES) for one in looked_for))
        nowhere = [name for name, hits in zip(looked_for, found, strict=True) if not _is_in(name, hits)]
        return list(dict.fromkeys((*owners, *nowhere)))


def in_turn(lists: Sequence[Sequence[Hit]], limit: int) -> list[Hit]:
    """The best of each search in turn, until there are enough."""
    kept: dict[str, Hit] = {}
    for hit in chain.from_iterable(zip_longest(*lists)):
        if hit is not None and len(kept) < limit:
            kept.setdefault(hit.passage.id, hit)
    return list(kept.values())


def _tells_of(quarters: Collection[int], hit: Hit) -> bool:
    """Whether a passage may tell of one of the quarters: a figure of the year is often near, and never the answer."""
    if hit.document.metadata.quarter is not None:
        return True
    periods = [one for one in read(hit.passage.indexed_text) if isinstance(one, Period)]
    return any(period.quarter in quarters or period.months == QUARTER for period in periods)


def _is_in(name: str, hits: Sequence[Hit]) -> bool:
    words = re.findall(r"\w+", name.lower())
    return any(all(word in hit.passage.indexed_text.lower() for word in words) for hit in hits)


def _renamed(hit: Hit, company: str | None) -> Hit:
    if company is None:
        return hit
    return replace(hit, document=replace(hit.document, metadata=replace(hit.document.metadata, company=company)))


MOST_READ_OF = 3
"""Companies or years that have as many passages to read as one has alone."""
KEPT = 8
"""Passages that are left after reranking; two for each figure where a plan takes more."""
OF_EACH = 5
"""Candidates that every search may add, where there are many."""


async def memory_and_query(state: FinanceState, step: Step) -> FinanceUpdate:
    """Look at the conversation and at the question side by side, and join both: a follow-up is understood alone."""
    services, query = step.services, state["current_query"]
    scope = scope_of(state, services)
    (turns, summary), library = await asyncio.gather(recall(state, services), Library.open(services, scope))
    tickers, reports = library.tickers, library.reports
    history, planned = history_of(turns, summary), Planned()
    if services.writer is not None:
        planned = await plan_figures(query, history, tickers, reports, services.writer)
    question = planned.question or understood(query, history)
    leans = question != query or (planned.plan is None and plan_of_follow_up(query, history) is not None)
    question, absent = await library.without_absent(question)
    asked = process(question, tickers, reports, is_follow_up=leans, wants_chart=wants_chart(query))
    asked["absent"] = absent
    asked["chart_kind"] = chart_kind(query) or asked["chart_kind"]
    asked["strangers"] = await library.unknown(question, asked)
    plan = planned.plan or _read(query, asked["question"], history, tickers)
    if plan is not None:
        asked = with_plan(asked, plan, list(tickers), reports)
        asked["planned_whole"] = planned.plan is not None
    reason = f"Understood as: {question}" if asked["is_follow_up"] else ""
    entities: dict[str, Any] = {"companies": asked["companies"], "years": asked["years"], "metrics": asked["metrics"]}
    return {
        "processed_query": asked,
        "user_id": scope.user or "",
        "session_id": session_of(state),
        **noted(state, step.decided(asked["operation"], reason, note=planned.note, remembered=len(turns), **entities)),
    }


async def retrieve(state: FinanceState, step: Step) -> FinanceUpdate:
    """Search by meaning and by words, narrowed to what is asked for; of the candidates keep a fair share for each."""
    services, asked = step.services, asked_of(state)
    library, gaps = await Library.open(services, scope_of(state, services)), state.get("gaps") or []
    searches = for_gaps(gaps, asked, state["retrieval_attempts"]) if gaps else for_question(asked)
    found = await library.candidates(searches)
    plan = plan_of(asked)
    # What a plan looks up stands in several tables, each of which has to be among the candidates.
    most = CANDIDATES if plan is None else max(2 * CANDIDATES, OF_EACH * len(searches))
    candidates = _after_kept([hits_in(state, services), *found], most)
    figures = len(expanded(plan).lookups) if plan is not None else 0
    kept = rerank(asked, candidates, max(KEPT, 2 * figures)) if candidates else []
    several = max(len(asked["companies"]), len({report["fiscal_year"] for report in asked["about"]}))
    places = services.sections * max(1, min(several, MOST_READ_OF))
    to_read = state.get("reading_context") or [chunk_of(one) for one in await library.to_read(asked, places)]
    decision = f"{len(kept)} of {len(candidates)} candidates"
    return {
        "retrieved_context": [chunk_of(hit) for hit in kept],
        "reading_context": to_read,
        **noted(state, step.decided(decision, searches=len(searches), documents=len({h.document.id for h in kept}))),
    }


async def validate_retrieval(state: FinanceState, step: Step) -> FinanceUpdate:
    """Whether the passages answer; if not, which company, metric and year is missing."""
    asked, evidence = asked_of(state), sources_in(state, step.services).evidence
    # What words answer is read where it was found first; searching again is for figures.
    in_words = plan_of(asked) is None and not asks_for_figures(read_question(asked["question"]))
    gaps = plan_gaps(asked, evidence) or ([] if in_words else _unsettled(asked, evidence))
    note = ""
    if gaps and step.services.judge is not None and state["retrieval_attempts"] + 1 < MAX_RETRIEVALS:
        more, note = await missing_in(asked["question"], evidence.passages, step.services.judge)
        gaps += more
    done = _searched(state)
    further = [one for one in for_gaps(gaps, asked, state["retrieval_attempts"] + 1) if one not in done]
    decision = "insufficient" if further else "nothing else to search for" if gaps else "sufficient"
    return {
        "gaps": gaps,
        "retrieval_sufficient": not further,
        "retrieval_attempts": state["retrieval_attempts"] + 1,
        **noted(state, step.decided(decision, " ".join(gap["reason"] for gap in gaps), note=note)),
    }


async def refine(state: FinanceState, step: Step) -> FinanceUpdate:
    """Turn what is missing into searches of its own."""
    queries = [one.query for one in for_gaps(state.get("gaps") or [], asked_of(state), state["retrieval_attempts"])]
    return noted(state, step.decided(f"{len(queries)} more searches", "; ".join(dict.fromkeys(queries))))


def build_retrieval_agent() -> Agent:
    builder = StateGraph(FinanceState, context_schema=Services)
    builder.add_node("memory_and_query", node("memory_and_query", memory_and_query))
    builder.add_node("retrieval", node("retrieval", retrieve))
    builder.add_node("validation", node("validation", validate_retrieval))
    builder.add_node("refinement", node("refinement", refine))

    builder.set_entry_point("memory_and_query")
    builder.add_conditional_edges("memory_and_query", unless_failed, {"success": "retrieval", "error": END})
    builder.add_conditional_edges("retrieval", unless_failed, {"success": "validation", "error": END})
    builder.add_conditional_edges(
        "validation", route_after_validation, {"sufficient": END, "insufficient": "refinement", "error": END}
    )
    builder.add_conditional_edges("refinement", unless_failed, {"success": "retrieval", "error": END})
    return builder.compile()


def _unsettled(asked: ProcessedQuery, evidence: Evidence) -> list[Gap]:
    """What is missing for a question without a plan, or whose plan comes to nothing.

    Where every figure of a plan was found, looking again only finds the same rows.
    """
    found = answered(asked, evidence)
    return [] if found.by_plan and found.analysis.results else find_gaps(asked, found.analysis, evidence)


def _searched(state: FinanceState) -> list[Sought]:
    """What was searched for last, and for the question itself."""
    asked = asked_of(state)
    return [*for_question(asked), *for_gaps(state.get("gaps") or [], asked, state["retrieval_attempts"])]


def _read(query: str, question: str, history: History, tickers: Tickers) -> Plan | None:
    """The plan without a chat model; a follow-up is of the company that was spoken of."""
    after = plan_of_follow_up(query, history)
    if after is None:
        return read_plan(question, list(tickers))
    said = " ".join((query, *(turn.question for turn in history.turns)))
    lookups = [
        one.model_copy(update={"item": without_names(one.item, list(tickers)) or one.item}) for one in after.lookups
    ]
    return with_companies(after.model_copy(update={"lookups": lookups}), said, tickers)


def _after_kept(lists: Sequence[Sequence[Hit]], most: int) -> list[Hit]:
    """What was kept before, then the best of each search in turn, until there are enough."""
    kept, *found = lists
    before = {hit.passage.id: hit for hit in kept}
    more = {hit.passage.id: hit for hit in in_turn(found, most)}
    return list((before | more).values())[: max(most, len(before))]
