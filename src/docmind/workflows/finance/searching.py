"""How the finance workflow searches: companies by all their spellings, and their passages under one name."""

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from docmind.domain.companies import Company, companies_of
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.quality.quantities import Period, read
from docmind.skills.finance import read_question
from docmind.skills.finance.company_names import listed_with, named
from docmind.skills.finance.seeking import ProcessedQuery, Sought, for_reading
from docmind.skills.finance.seeking.entities import owning
from docmind.skills.finance.seeking.reports import Report, reports_of
from docmind.skills.question import names
from docmind.workflows.services import Services

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
