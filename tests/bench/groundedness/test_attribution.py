"""Support and supporting sentences against numbers worked out by hand."""

from collections.abc import Sequence

import pytest

from docmind.bench.groundedness.attribution import (
    SentenceScores,
    check_citations,
    mean_sentence_scores,
    sentence_scores,
    support_cases,
)
from docmind.bench.groundedness.checker import CheckedClaim, Checker
from docmind.bench.groundedness.folds import Case, Guess
from docmind.bench.groundedness.sets import wice
from docmind.bench.workbench import Workbench
from docmind.domain.documents import Passage, Span


def by_first_sentence(passages: Sequence[Passage], text: str, asked: str) -> list[CheckedClaim]:
    """Finds all it needs in the first few characters of a page."""
    return [CheckedClaim(Span(0, len(text)), 0.5, evidence=(Span(0, 4),))]


def test_sentences_are_compared_with_the_set_they_come_nearest_to() -> None:
    nearest = sentence_scores({0, 2}, [{1}, {0, 2, 5}, {0, 3, 4, 6}])
    assert nearest.precision == 1
    assert nearest.recall == pytest.approx(2 / 3)


def test_to_choose_nothing_is_to_find_nothing() -> None:
    assert sentence_scores(set(), [{1}, {0, 2}]) == SentenceScores(0, 0)


def test_evidence_is_read_as_the_sentences_it_touches_and_averaged_where_something_supports(bench: Workbench) -> None:
    checked = check_citations(bench, "wice", Checker(by_first_sentence), wice(bench))
    assert [item.chosen for item in checked] == [{0}, {0}, {0}]
    # Of {0, 2} half is found, of {0} all; the third claim has nothing to find.
    assert mean_sentence_scores(checked) == (SentenceScores(1, 0.75), 2)


def test_only_full_support_is_positive_and_claims_of_one_article_stay_together(bench: Workbench) -> None:
    checked = check_citations(bench, "wice", Checker(by_first_sentence), wice(bench))
    assert support_cases(checked) == [
        Case((Guess(0.5, 1, 1), Guess(0.5, 1, 0)), 1),
        Case((Guess(0.5, 1, 0),), 0),
    ]


def test_the_weakest_part_of_a_claim_decides(bench: Workbench) -> None:
    def halves(passages: Sequence[Passage], text: str, asked: str) -> list[CheckedClaim]:
        return [CheckedClaim(Span(0, 3), 0.9), CheckedClaim(Span(4, 9), 0.4)]

    assert {item.support for item in check_citations(bench, "wice", Checker(halves), wice(bench))} == {0.4}
