"""Looking again: other sides of a question, scores that a query cannot give itself, and what a person is asked."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

from docmind.domain.search import Hit
from docmind.models.chat.recording import ScriptedChat
from docmind.skills.clarify import NONE_OF_THESE, chosen, clarification, explained
from docmind.skills.dialogue import Turn
from docmind.skills.dialogue.history import recap
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.grade import by_search, grade
from docmind.skills.multi_query_search import multi_query_search
from docmind.skills.rewrite import other_query, other_query_by_words

FindHits = Callable[..., list[Hit]]
QUESTION = "How long are receipts kept?"


def test_each_retry_looks_from_a_side_that_was_not_tried(find_hits: FindHits) -> None:
    hits = find_hits("Receipts are kept for ten years.", heading=("Retention",))
    tried = [QUESTION]
    for _ in range(4):
        tried.append(other_query_by_words(QUESTION, tried, hits))
    assert len(set(tried)) == len(tried)
    assert all("receipts" in query for query in tried)
    assert any("Retention" in query for query in tried)


def test_a_chat_model_that_repeats_a_query_is_not_believed() -> None:
    chat = ScriptedChat([json.dumps({"query": QUESTION}), json.dumps({"query": "retention period"})])
    repeated = asyncio.run(other_query(QUESTION, [QUESTION], (), chat))
    assert repeated.query != QUESTION
    assert "repeated itself" in repeated.note
    assert asyncio.run(other_query(QUESTION, [QUESTION], (), chat)) == ("retention period", "")


def test_a_passage_counts_only_as_far_as_the_question_itself_finds_it(find_hits: FindHits) -> None:
    receipts, soup, stairs = find_hits("Receipts.", "Soup.", "Stairs.")
    weak = [replace(receipts, relevance_score=0.5), replace(soup, relevance_score=0.1)]
    sure = [replace(stairs, relevance_score=0.9), replace(soup, relevance_score=0.9)]

    async def search(query: str, most: int) -> list[Hit]:
        return (weak if query == QUESTION else sure)[:most]

    found = asyncio.run(multi_query_search(search, QUESTION, ["soup and stairs"], limit=3))
    assert {hit.passage.text: hit.relevance_score for hit in found} == {"Receipts.": 0.5, "Soup.": 0.1, "Stairs.": 0.1}


def test_grades_are_those_of_the_chat_model_or_else_of_the_search(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits("Receipts are kept for ten years.", "Soup is served.", relevance=0.06)
    by_model = asyncio.run(grade(QUESTION, hits, scorer, ScriptedChat(['{"scores": [1, 0]}'])))
    assert by_model == ([1.0, 0.0], "")
    too_few = asyncio.run(grade(QUESTION, hits, scorer, ScriptedChat(['{"scores": [1]}'])))
    assert "1 scores for 2 passages" in too_few.note
    assert too_few.scores == by_search(hits) == [0.6968, 0.6968]


def test_a_person_is_offered_two_to_four_places_of_the_documents(find_hits: FindHits) -> None:
    many = clarification("Which?", find_hits(*"abcdef"))
    assert many.options == ["document-1", "document-2", "document-3", "document-4"]
    assert clarification("Which?", find_hits("a", heading=("Part",))).options == ["document-1: Part", NONE_OF_THESE]
    assert clarification("Which?", []).options == []


def test_a_reply_is_an_option_by_number_or_words_or_speaks_for_itself() -> None:
    options = ["Travel", "Receipts"]
    assert [chosen(reply, options) for reply in ("2", "2.", "receipts", "3", "soup")] == [
        "Receipts", "Receipts", "Receipts", "3", "soup",
    ]  # fmt: skip


def test_a_reply_narrows_the_question_or_takes_its_place() -> None:
    assert explained("How long are they kept?", "Receipts") == "How long are they kept (Receipts)?"
    assert explained("How long are they kept?", "How long are invoices kept?") == "How long are invoices kept?"
    assert explained("How long are they kept?", NONE_OF_THESE) == "How long are they kept?"


def test_a_recap_keeps_a_line_a_turn_and_drops_the_oldest_when_it_gets_long() -> None:
    turns = [Turn(f"Question {number}?", f"Answer {number}. And more.") for number in range(100)]
    first = recap("", turns[:2])
    assert first == "Question 0? — Answer 0.\nQuestion 1? — Answer 1."
    long = recap(first, turns[2:])
    assert "Question 99?" in long
    assert "Question 0?" not in long
    assert len(long) < 3_000
