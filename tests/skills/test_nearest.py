"""What is shown of passages that do not answer: the nearest, each with the words that come nearest."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.search import Hit
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.nearest import LONGEST, excerpt, nearest

FindHits = Callable[..., list[Hit]]
LONG = " ".join(f"Sentence number {number} is of the weather in town." for number in range(40))
MATTERS = "The mill at Halden was bought for 14.2 million euros."


def test_the_passage_that_comes_nearest_is_first_and_at_most_three_are_shown(
    find_hits: FindHits, scorer: ReadingScorer
) -> None:
    hits = find_hits("Soup is served at noon.", "The cars are parked.", MATTERS, "It rains.", "The hall is new.")
    found = nearest("For how much was the mill at Halden bought?", hits, scorer)
    assert len(found) == 3
    assert found[0].excerpt == MATTERS
    assert (found[0].document, found[0].source) == ("document-3", "document-3")


def test_of_a_long_passage_the_words_that_matter_are_shown_with_their_place(
    find_hits: FindHits, scorer: ReadingScorer
) -> None:
    text = f"{LONG} {MATTERS} {LONG}"
    (found,) = nearest("For how much was the mill at Halden bought?", find_hits(text), scorer)
    assert MATTERS in found.excerpt
    assert len(found.excerpt) <= LONGEST
    assert found.excerpt.startswith("… ")
    assert found.excerpt.endswith(" …")
    assert MATTERS in text[found.start : found.end]


def test_a_passage_with_nothing_to_quote_shows_its_beginning(find_hits: FindHits, scorer: ReadingScorer) -> None:
    (found,) = nearest("What is it?", find_hits("---"), scorer)
    assert found.excerpt == "---"
    assert nearest("What is it?", [], scorer) == []


def test_heading_page_and_title_come_along(find_hits: FindHits, scorer: ReadingScorer) -> None:
    (hit,) = find_hits(MATTERS, heading=("Minutes", "Decisions"))
    hit = replace(hit, passage=replace(hit.passage, page=7))
    (found,) = nearest("Which mill?", [hit], scorer)
    assert (found.title, found.heading, found.page) == ("document-1", ["Minutes", "Decisions"], 7)


def test_rows_of_a_table_are_told_apart() -> None:
    _, shown = excerpt("Oak | Price: 48\nPine | Price: 19", rows=True)
    assert shown == "Oak | Price: 48; Pine | Price: 19"


@given(st.text(alphabet="ab .\n日", max_size=900), st.integers(min_value=0, max_value=900), st.booleans())
def test_no_excerpt_is_too_long_or_stands_elsewhere(text: str, start: int, rows: bool) -> None:
    span, shown = excerpt(text, min(start, len(text)), rows=rows)
    assert len(shown) <= LONGEST
    assert 0 <= span.start <= span.end <= len(text)
