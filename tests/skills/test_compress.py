"""Evidence that is too long for a prompt: the best passages whole, of the others what speaks to the question."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.search import Hit
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.synthesize import compress

FindHits = Callable[..., list[Hit]]
QUESTION = "How many days of leave are granted?"
FILLER = "The hall is swept on Fridays. " * 30
LEAVE = "Every employee is granted 25 days of leave."


def ranked(hits: list[Hit]) -> list[Hit]:
    return [replace(hit, relevance_score=1 - number / 100) for number, hit in enumerate(hits)]


def test_what_fits_is_left_as_it_is(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits(LEAVE, FILLER)
    context = compress(QUESTION, hits, scorer, most_chars=6_000, whole=3)
    assert context.ratio == 1.0
    assert context.passages == tuple((hit, hit.passage.text) for hit in hits)


def test_the_best_three_stay_whole_and_others_keep_what_answers(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = ranked(find_hits(*[FILLER] * 3, f"{FILLER}{LEAVE}", FILLER))
    context = compress(QUESTION, hits, scorer, most_chars=3 * len(FILLER) + 60, whole=3)
    texts = [text for _, text in context.passages]
    assert texts[:3] == [FILLER] * 3
    assert LEAVE in texts[3]
    assert len(texts[3]) < 60
    assert context.ratio == pytest.approx(sum(map(len, texts)) / (5 * len(FILLER) + len(LEAVE)), abs=1e-3)


def test_the_best_are_kept_whole_even_where_they_are_too_long(find_hits: FindHits, scorer: ReadingScorer) -> None:
    context = compress(QUESTION, ranked(find_hits(*[FILLER] * 4)), scorer, most_chars=500, whole=3)
    assert [text for _, text in context.passages] == [FILLER] * 3
    assert context.ratio == 0.75


@given(st.lists(st.sampled_from([FILLER, LEAVE, "Short.", f"{LEAVE} {FILLER}"]), max_size=6), st.integers(0, 3))
def test_nothing_is_shown_that_a_passage_does_not_say(
    find_hits: FindHits, scorer: ReadingScorer, texts: list[str], whole: int
) -> None:
    hits = ranked(find_hits(*texts))
    context = compress(QUESTION, hits, scorer, most_chars=800, whole=whole)
    shown = sum(len(text) for _, text in context.passages)
    assert 0 <= context.ratio <= 1
    assert shown <= max(800, sum(map(len, texts[:whole])))
    for hit, text in context.passages:
        assert all(line.strip() in hit.passage.text for line in text.split("\n"))
