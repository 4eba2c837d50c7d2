"""Several queries searched at once become one list in which each has its share."""

import asyncio
from dataclasses import replace

from docmind.domain.documents import Document, Metadata, Passage, Span
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.skills.multi_query_search import gather

DOCUMENT = Document("d", Scope("w"), "s", "n", "h", "text/plain", Metadata(), None, 0, 0, "")


def hit(name: str, score: float) -> Hit:
    return Hit(Passage(name, "d", 0, Span(0, 1), "x"), DOCUMENT, score, 0.0, 0.0)


class Shelf:
    """Answers each query from a list, as the corpus would, and notes what was asked."""

    def __init__(self, found: dict[str, list[Hit]]) -> None:
        self.found = found
        self.asked: list[str] = []

    async def search(self, query: str, filters: Filters) -> list[Hit]:
        self.asked.append(query)
        return [one for one in self.found[query] if one.passage.id not in filters.exclude_passages]


def gathered(shelf: Shelf, queries: list[str], limit: int, without: list[str] | None = None) -> list[str]:
    hits = asyncio.run(gather(shelf.search, queries, limit=limit, without=without or []))
    return [one.passage.id for one in hits]


def test_a_query_that_scores_low_throughout_is_heard_too() -> None:
    shelf = Shelf({"a": [hit(f"a{n}", 0.9 - n / 100) for n in range(8)], "b": [hit("b0", 0.2), hit("b1", 0.1)]})
    found = gathered(shelf, ["a", "b"], 4)
    assert found[0] == "a0"
    assert "b0" in found
    assert len(found) == 4


def test_a_passage_found_twice_is_kept_once_with_its_better_score() -> None:
    shelf = Shelf({"a": [hit("same", 0.3)], "b": [hit("same", 0.8), hit("other", 0.5)]})
    hits = asyncio.run(gather(shelf.search, ["a", "b"], limit=5))
    assert [(one.passage.id, one.relevance_score) for one in hits] == [("same", 0.8), ("other", 0.5)]


def test_the_same_query_is_searched_once() -> None:
    shelf = Shelf({"a": [hit("a0", 0.5)]})
    gathered(shelf, ["a", "a"], 3)
    assert shelf.asked == ["a"]


def test_what_was_useless_before_is_left_out() -> None:
    shelf = Shelf({"a": [hit("a0", 0.9), hit("a1", 0.5)]})
    assert gathered(shelf, ["a"], 3, ["a0"]) == ["a1"]


def test_equal_scores_come_in_a_fixed_order() -> None:
    hits = [hit(name, 0.5) for name in "cab"]
    forwards, backwards = Shelf({"q": hits}), Shelf({"q": hits[::-1]})
    assert gathered(forwards, ["q"], 3) == gathered(backwards, ["q"], 3) == ["a", "b", "c"]


def test_scores_are_never_out_of_order() -> None:
    better = replace(hit("z", 0.95))
    shelf = Shelf({"a": [hit("a0", 0.4)], "b": [hit("b0", 0.6), better]})
    hits = asyncio.run(gather(shelf.search, ["a", "b"], limit=3))
    scores = [one.relevance_score for one in hits]
    assert scores == sorted(scores, reverse=True)
