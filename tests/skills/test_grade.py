"""How likely passages bear on a question."""

from collections.abc import Callable

from docmind.domain.search import Hit
from docmind.skills.grade import by_search

FindHits = Callable[..., list[Hit]]


def test_a_passage_that_has_the_names_asked_for_speaks_of_them(find_hits: FindHits) -> None:
    hits = find_hits("R-07 is owned by Jan Kolarik.", "R-02 is owned by nobody.", relevance=0.001)
    named, other = by_search("Who owns R-07?", hits)
    assert named > 0.7 > other
    named, other = by_search("Who is Jan Kolarik?", hits)
    assert named > 0.7 > other


def test_a_name_that_every_passage_has_tells_none_apart(find_hits: FindHits) -> None:
    hits = find_hits("Varmoor builds pumps.", "Varmoor sells pumps.", "Varmoor rents pumps.", relevance=0.001)
    assert max(by_search("What insurance does Varmoor have?", hits)) < 0.1


def test_what_is_asked_of_nothing_named_is_scored_as_the_search_did(find_hits: FindHits) -> None:
    low, high = find_hits("One.", relevance=0.01), find_hits("Two.", relevance=0.2)
    assert by_search("How many?", [*low, *high]) == [*by_search("", low), *by_search("", high)]
