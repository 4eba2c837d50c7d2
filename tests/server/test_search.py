from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import httpx
import pytest

from docmind.domain.rows import HitRow
from docmind.domain.scope import Scope
from docmind.domain.search import Filters
from docmind.runtime.engine import DocMind
from docmind.server.routes.search import SearchFilters

QUESTION = "purchase of the Halden mill"


def search(service: httpx.Client, **asked: Any) -> list[dict[str, Any]]:
    answer = service.post("/v1/search", json=asked)
    assert answer.status_code == 200, answer.text
    hits: list[dict[str, Any]] = answer.json()["hits"]
    return hits


def test_hits_are_the_engines_own_in_the_form_of_the_command_line(service: httpx.Client, library: DocMind) -> None:
    found = library.search(QUESTION, Scope("default"), limit=10)
    assert search(service, query=QUESTION) == [HitRow.of(*ranked).model_dump() for ranked in enumerate(found, start=1)]
    assert "14.2 million euros" in found[0].passage.text


def test_a_hit_points_to_exactly_the_characters_it_shows(service: httpx.Client) -> None:
    for hit in search(service, query=QUESTION):
        text = service.get(f"/v1/documents/{hit['document']}/text", params={"start": hit["start"], "end": hit["end"]})
        assert text.text == hit["text"]


def test_the_limit_and_the_lowest_score_are_kept(service: httpx.Client) -> None:
    assert len(search(service, query="Halden", limit=1)) == 1
    assert search(service, query="zebra crossings in Peru", min_score=1) == []


def test_a_filter_narrows_the_search(service: httpx.Client) -> None:
    assert {hit["name"].split("/")[-1] for hit in search(service, query="board", filters={"kind": ["table"]})} == {
        "prices.csv"
    }
    assert search(service, query="board", filters={"fiscal_year": [1999]}) == []
    best = search(service, query=QUESTION, limit=1)[0]
    narrowed = search(service, query=QUESTION, filters={"document_id": [best["document"]]})
    assert {hit["document"] for hit in narrowed} == {best["document"]}


def test_every_filter_of_the_library_can_be_asked_for() -> None:
    assert list(SearchFilters.model_fields) == [field.name for field in fields(Filters)]
    assert SearchFilters().chosen() == Filters()


def test_nothing_is_found_of_another_user_or_workspace(service: httpx.Client) -> None:
    def names(**scope: str) -> set[str]:
        return {hit["name"].split("/")[-1] for hit in search(service, query="the Halden mill", **scope)}

    assert names() == {"minutes.md", "prices.csv"}
    assert names(user="alice") == {"minutes.md", "prices.csv", "diary.md"}
    assert names(user="bob") == names()
    assert names(workspace="other") == {"plan.md"}
    assert names(workspace="empty") == set()


@pytest.mark.parametrize("question", ["'; DROP TABLE documents; --", "日本語", "???", "\0 Halden"])
def test_odd_questions_are_only_questions(service: httpx.Client, question: str) -> None:
    search(service, query=question)


def test_fifty_searches_at_once_are_each_answered_with_their_own(service: httpx.Client) -> None:
    questions = [QUESTION, "price of a pine board", "energy prices last winter", "naïve forecast", "oak"] * 10
    alone = {question: search(service, query=question) for question in set(questions)}
    with ThreadPoolExecutor(50) as askers:
        together = list(askers.map(lambda question: search(service, query=question), questions))
    assert together == [alone[question] for question in questions]
