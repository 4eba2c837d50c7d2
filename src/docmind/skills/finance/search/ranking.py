"""Reranking: passages with the figures asked for come first, and every company and year asked for has its share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from docmind.domain.search import Hit
from docmind.quality.quantities import Figure
from docmind.skills.finance.catalogue import parts_in
from docmind.skills.finance.compute.parts import breakdown_of
from docmind.skills.finance.evidence.choice import shortlist
from docmind.skills.finance.evidence.evidence import Evidence, Match
from docmind.skills.finance.evidence.lookup import sentence_of, wanted_by
from docmind.skills.finance.evidence.named_rows import figure_at
from docmind.skills.finance.plan import Lookup
from docmind.skills.finance.plan.lookups import row_called, wanted_of
from docmind.skills.finance.plan.plan import expanded
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.finance.search.query import ProcessedQuery, plan_of

MOST_BY_MEANING = 4
"""Rows of each lookup whose passages are kept because they are near it in meaning."""
FORETOLD = 2.0
"""What the sentence is worth that says what was expected, where that is asked."""
OTHER_TIME = 0.5
"""What a figure of another year than those asked for is worth."""
Cell = tuple[str, int | None]
"""A company and a year."""


def rerank(asked: ProcessedQuery, hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The best `limit`: the best of every company and year in turn, then whatever is best."""
    question, *others = (read_question(one) for one in (asked["question"], asked["besides"]) if one)
    evidence = Evidence([hit.passage for hit in hits], owners_of(hits))
    held = _held([match for one in (question, *others) for match in _matches(one, evidence)], asked["years"])
    worth = {hit.passage.id: hit.relevance_score + max(held.get(hit.passage.id, {None: 0.0}).values()) for hit in hits}
    said = evidence.prose.best(question)
    if said is not None:
        worth[said.source] += said.coverage
    foretold = sentence_of(question, evidence)
    if foretold is not None:
        worth[foretold.source] += FORETOLD
    ordered = sorted(hits, key=lambda hit: (-worth[hit.passage.id], hit.passage.id))
    plan = plan_of(asked)
    lookups = (*plan.lookups, *expanded(plan).lookups) if plan is not None else ()
    looked_up = [place for one in lookups for place in _places_of(one, evidence)]
    divided = breakdown_of(question, evidence) if asked["wants_chart"] else None
    looked_up += [figure.source for figure in (divided.results if divided else ()) if isinstance(figure, Figure)]
    looked_up += _by_meaning(asked, evidence)
    dealt = [*looked_up, *(hit.passage.id for hit in _dealt(ordered, held, _cells(asked, evidence)))]
    first = list(dict.fromkeys(dealt))[: limit - 1]
    chosen = list(dict.fromkeys((*first, *(hit.passage.id for hit in ordered))))[:limit]
    return [hit for hit in ordered if hit.passage.id in chosen]


def owners_of(hits: Iterable[Hit]) -> dict[str, str]:
    """The company of each document."""
    return {hit.document.id: hit.document.metadata.company or "" for hit in hits}


def _places_of(lookup: Lookup, evidence: Evidence) -> Iterator[str]:
    """The passages that hold what a plan looks up, one for each of its periods."""
    own = evidence.of(lookup.company) if lookup.company in evidence.companies else evidence
    known = row_called(lookup, own)
    found = [match.series for match in own.find(lookup.phrase) if match.is_good]
    rows = [*([known] if known is not None else []), *found]
    for period in lookup.periods:
        yield from [figure.source for row in rows if (figure := figure_at(row, period)) is not None][:1]
    if not lookup.periods:
        yield from [row.figures[0].source for row in rows][:1]


def _by_meaning(asked: ProcessedQuery, evidence: Evidence) -> list[str]:
    """The passages of the rows that fit best by meaning what no row goes by the name of: of each as many in turn."""
    plan = plan_of(asked)
    lookups = expanded(plan).lookups if plan is not None else ()
    companies = asked["companies"]
    sought = [(wanted_of(one), one.company) for one in lookups if next(_places_of(one, evidence), None) is None]
    if plan is None:
        sought = [(wanted_by(read_question(asked["question"]), companies), one) for one in companies or [""]]
    found = []
    for wanted, company in sought:
        own = evidence.of(company) if company in evidence.companies else evidence
        few, _ = shortlist(wanted, own, MOST_BY_MEANING)
        found.append([one.figures[0].source for one in few])
    return [place for places in zip_longest(*found) for place in places if place is not None]


def _held(matches: Iterable[Match], years: Sequence[int]) -> Mapping[str, Mapping[Cell | None, float]]:
    """For each passage how well its figures are those asked for, by company and year."""
    held: dict[str, dict[Cell | None, float]] = {}
    for match in matches:
        for figure in match.series.figures:
            year = figure.period.year if figure.period is not None else None
            worth = match.score * (1.0 if not years or year in years else OTHER_TIME)
            cells = held.setdefault(figure.source, {})
            cell = match.series.owner, year
            cells[cell] = max(cells.get(cell, 0.0), worth)
    return held


def _matches(question: FinanceQuestion, evidence: Evidence) -> Iterator[Match]:
    for phrase in _phrases(question):
        yield from evidence.find(phrase, changes=True, ignored=question.unsought)


def _phrases(question: FinanceQuestion) -> tuple[str, ...]:
    """The question, what it sets off against each other, and what a ratio is made of."""
    return (question.text, *(question.sides or ()), *parts_in(question.text))


def _cells(asked: ProcessedQuery, evidence: Evidence) -> list[Cell]:
    companies = asked["companies"] or evidence.companies
    years: list[int | None] = [*asked["years"]] or [None]
    return [(company, year) for company in companies for year in years]


def _dealt(
    ordered: Sequence[Hit], held: Mapping[str, Mapping[Cell | None, float]], cells: Sequence[Cell]
) -> Iterator[Hit]:
    """The best passage of each company and year, of each once."""
    for company, year in cells:
        rated = [(_share(held.get(hit.passage.id, {}), company, year), -place) for place, hit in enumerate(ordered)]
        worth, place = max(rated, default=(0.0, 0))
        if worth > 0:
            yield ordered[-place]


def _share(cells: Mapping[Cell | None, float], company: str, year: int | None) -> float:
    fitting = (worth for cell, worth in cells.items() if cell and cell[0] == company and year in (None, cell[1]))
    return max(fitting, default=0.0)
