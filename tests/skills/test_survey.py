"""Requests for a whole, told from questions, and what they are of."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from docmind.domain.documents import Metadata
from docmind.domain.search import Filters, Hit
from docmind.quality.grounding import Grounder
from docmind.skills.extract.briefing import tell_all
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.survey import matters, sought, surveys, topic

FindHits = Callable[..., list[Hit]]


@pytest.mark.parametrize(
    ("request_", "subject"),
    [
        ("Summarise the case for Project Heron across all documents", "Project Heron"),
        ("What are the main risks?", "risks"),
        ("What are the key findings of the market study?", "market study"),
        ("Give me an overview of the competitors", "competitors"),
        ("What do the documents say about Limerick?", "Limerick"),
        ("Can you summarize the risk register in three sentences?", "risk register"),
        ("Summarise all papers", ""),
        ("Give an executive summary", ""),
    ],
)
def test_a_request_for_a_whole_says_what_it_is_of(request_: str, subject: str) -> None:
    assert surveys(request_)
    assert topic(request_) == subject


@pytest.mark.parametrize(
    "question",
    [
        "What is our strategy?",
        "What are the three options?",
        "Who wrote the summary?",
        "How long are receipts kept?",
        "",
    ],
)
def test_a_question_is_no_request_for_a_whole(question: str) -> None:
    assert not surveys(question)


def test_each_document_says_its_own_below_its_title(
    find_hits: FindHits, grounder: Grounder, scorer: StatementScorer
) -> None:
    hits = [
        replace(hit, document=replace(hit.document, id=title, metadata=Metadata(title=title)))
        for title, text in {
            "Plan": "The plant opens in May 2027. It cost EUR 4 million.",
            "Minutes": "The plant was approved by the board on 3 March 2026.",
        }.items()
        for hit in find_hits(text)
    ]
    told = tell_all("Summarise the plant", "plant", hits, grounder, scorer).text
    assert told.index("## Plan") < told.index("The plant opens in May 2027.") < told.index("## Minutes")


def test_a_survey_of_nothing_says_so(grounder: Grounder, scorer: StatementScorer) -> None:
    told, confidence = tell_all("Summarise it", "", [], grounder, scorer)
    assert confidence == 0.0
    assert told == "The documents found do not answer the question “Summarise it”."


def test_a_document_that_is_named_is_looked_at_as_a_whole(find_hits: FindHits) -> None:
    [found] = find_hits("Three risks are red.")
    register = replace(found, document=replace(found.document, id="r", metadata=Metadata(title="Risk register")))
    asked: list[tuple[str, Filters]] = []

    async def search(query: str, filters: Filters, most: int) -> list[Hit]:
        asked.append((query, filters))
        return [register][:most]

    assert asyncio.run(sought("What are the main risks?", search, limit=5)) == [register]
    assert [filters.document_id for _, filters in asked] == [(), ("r",)]


def test_what_claims_are_about_stands_before_their_verb() -> None:
    claims = ("The budget of the plant is EUR 4 million.", "Approved.", "It is late.")
    assert matters(claims) == ["The budget of the plant"]
