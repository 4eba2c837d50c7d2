"""Questions that the documents of a workspace may answer, to be asked before any of them is suggested."""

from collections.abc import Iterable, Sequence

from docmind.domain.documents import Document, Passage
from docmind.memory.suggestions import Suggestion
from docmind.runtime.examples import questions_on

MOST_CANDIDATES = 16
"""How many are asked: each takes a second or two of all cores."""
_MOST_OF_A_DOCUMENT = 3
_FEWEST_WORDS, _MOST_WORDS = 4, 20
_MEASURES = ("revenue", "operating profit", "net income")
"""What nearly every report of a company states."""


def candidates(documents: Sequence[Document], passages: Iterable[tuple[Document, Passage]]) -> list[Suggestion]:
    """Questions written for the example documents, on figures of companies' reports, and those that the documents ask
    themselves, as an FAQ does; the passages are looked at until there are enough."""
    found = [Suggestion(one.workflow, one.question) for one in questions_on({each.name for each in documents})]
    if not found:
        found = [*_on_figures(documents), *_asked_in(passages)]
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


def _on_figures(documents: Sequence[Document]) -> list[Suggestion]:
    """On each company's latest report."""
    latest: dict[str, int] = {}
    for each in documents:
        company, year = each.metadata.company, each.metadata.fiscal_year
        if company and year:
            latest[company] = max(year, latest.get(company, year))
    return [
        Suggestion("finance", f"What was the {measure} of {company} in {year}?")
        for company, year in list(latest.items())[: MOST_CANDIDATES // len(_MEASURES) - 1]
        for measure in _MEASURES
    ]


def _asked_in(passages: Iterable[tuple[Document, Passage]]) -> Iterable[Suggestion]:
    """Headings that are questions: what stands below one usually answers it."""
    taken: dict[str, set[str]] = {}
    for document, passage in passages:
        of_it = taken.setdefault(document.id, set())
        question = " ".join(passage.heading[-1].split()) if passage.heading else ""
        fits = question.endswith("?") and _FEWEST_WORDS <= len(question.split()) <= _MOST_WORDS
        if fits and question not in of_it and len(of_it) < _MOST_OF_A_DOCUMENT:
            of_it.add(question)
            yield Suggestion("docs", question)
            if sum(map(len, taken.values())) >= MOST_CANDIDATES:
                return
