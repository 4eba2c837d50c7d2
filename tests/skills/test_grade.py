"""How likely passages bear on a question."""

from collections.abc import Callable

from docmind.domain.search import Hit
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.grade import by_reading, by_search

FindHits = Callable[..., list[Hit]]


def test_a_passage_that_the_reader_finds_the_answer_in_bears_on_the_question(
    find_hits: FindHits, scorer: ReadingScorer
) -> None:
    hits = find_hits("The office opens at nine.", "The canteen has a new oven.", relevance=0.001)
    answering, other = by_reading("When does the office open?", hits, scorer)
    assert answering > 0.5 > other


def test_what_search_is_sure_of_bears_on_the_question(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits("The canteen has a new oven.", relevance=0.5)
    assert by_reading("When does the office open?", hits, scorer) == by_search(hits)
    assert by_search(hits)[0] > 0.9


def test_passages_beyond_those_that_are_read_keep_what_search_says(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits(*(f"Room {number} has a window." for number in range(12)), relevance=0.001)
    assert len(by_reading("How many windows are there?", hits, scorer)) == 12
