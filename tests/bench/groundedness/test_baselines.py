"""The simple checks that stand beside the product."""

import pytest

from docmind.bench.groundedness.baselines import Cosine, always, coverage
from docmind.domain.documents import Passage, Span
from docmind.models.embedding import open_embedder

DOCUMENT = "ignored Black tea steeps for four minutes. Green tea is bitter."
PASSAGE = Passage("1-1", "1", 0, Span(8, len(DOCUMENT)), DOCUMENT[8:])


def test_coverage_is_the_share_of_content_words_that_the_passages_hold() -> None:
    (claim,) = coverage([PASSAGE], "The black tea steeps in Lisbon.", "")
    assert claim.support == 0.75
    assert claim.span.of("The black tea steeps in Lisbon.") == "The black tea steeps in Lisbon."


def test_the_evidence_is_given_in_characters_of_the_document() -> None:
    for checker in (coverage, Cosine(open_embedder("static"))):
        (claim,) = checker([PASSAGE], "Green tea tastes bitter.", "")
        (evidence,) = claim.evidence
        assert evidence.of(DOCUMENT) == "Green tea is bitter."


def test_what_asserts_nothing_is_not_checked() -> None:
    text = "Based on the passages:\n\nBlack tea steeps for four minutes. The passages do not mention coffee."
    for checker in (coverage, Cosine(open_embedder("static"))):
        assert [claim.span.of(text) for claim in checker([PASSAGE], text, "")] == ["Black tea steeps for four minutes."]


def test_a_sentence_of_the_source_has_a_cosine_of_one_and_another_has_less() -> None:
    same, other = Cosine(open_embedder("static"))([PASSAGE], "Green tea is bitter. Parliament met on Monday.", "")
    assert same.support == pytest.approx(1, abs=1e-5)
    assert 0 <= other.support < 0.9


def test_another_source_is_embedded_anew() -> None:
    cosine = Cosine(open_embedder("static"))
    other = Passage("2-1", "2", 0, Span(0, 24), "Parliament met on Monday")
    same, different = (cosine([passage], "Green tea is bitter.", "")[0] for passage in (PASSAGE, other))
    assert same.support > different.support


@pytest.mark.parametrize("passages", [[], [Passage("1-1", "1", 0, Span(0, 0), "")]])
def test_without_a_source_nothing_is_supported(passages: list[Passage]) -> None:
    for checker in (coverage, Cosine(open_embedder("static"))):
        assert [claim.support for claim in checker(passages, "Green tea is bitter.", "")] == [0]


def test_always_says_the_same_of_every_text() -> None:
    assert [(claim.span, claim.support) for claim in always([PASSAGE], "Yes.", "")] == [(Span(0, 4), 0)]
