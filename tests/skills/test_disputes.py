"""Documents that answer one question with different values, and what a person makes of them."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from docmind.domain.search import Hit
from docmind.models.reader import Reader
from docmind.quality.conflicts import AnswerPair, ConflictJudge
from docmind.skills.disputes import NEITHER, Dispute, caveat, contested, find_disputes, options, settle, told
from docmind.skills.extract.statement_scorer import ReadingScorer

FindHits = Callable[..., list[Hit]]
QUESTION = "What is the capital budget of Project Heron?"
FIRST = "The capital budget of Project Heron is EUR 42.0 million."
SECOND = "The capital budget of Project Heron is EUR 47.5 million."


def claim(number: int, text: str) -> dict[str, Any]:
    return {"passage_id": f"passage-{number}", "quote_start": 0, "quote_end": len(text)}


def all_of_them(_question: str, pairs: Sequence[AnswerPair]) -> Sequence[tuple[AnswerPair, float]]:
    return [(pair, 1.0) for pair in pairs]


@pytest.fixture
def dispute(find_hits: FindHits, scorer: ReadingScorer, reader: Reader) -> Dispute:
    conflicting = ConflictJudge(reader).conflicting
    (found,) = find_disputes([QUESTION], find_hits(FIRST, SECOND), [claim(1, FIRST)], scorer, conflicting)
    return found


def test_two_values_of_what_is_asked_about_are_in_dispute(dispute: Dispute) -> None:
    first, second = dispute["sides"]
    assert {first["value"], second["value"]} == {"EUR 42.0 million", "EUR 47.5 million"}
    assert {first["claim"], second["claim"]} == {FIRST, SECOND}
    assert dispute["reason"].startswith(f"It is {first['value']} in “")


@pytest.mark.parametrize(
    "other",
    [
        "The capital budget of Project Heron is EUR 42 million.",
        "The capital budget of Project Heron is EUR 42,000,000.",
    ],
)
def test_documents_that_say_the_same_are_not_compared(find_hits: FindHits, scorer: ReadingScorer, other: str) -> None:
    assert find_disputes([QUESTION], find_hits(FIRST, other), [claim(1, FIRST)], scorer, all_of_them) == []


def test_a_document_is_in_no_dispute_with_itself(find_hits: FindHits, scorer: ReadingScorer) -> None:
    assert find_disputes([QUESTION], find_hits(f"{FIRST} {SECOND}"), [claim(1, FIRST)], scorer, all_of_them) == []


def test_a_conflict_that_the_answer_does_not_touch_is_no_dispute(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits(FIRST, SECOND, "The cafeteria serves soup.")
    assert find_disputes([QUESTION], hits[:2], [], scorer, all_of_them) == []
    touched = find_disputes([QUESTION, QUESTION], hits[:2], [claim(2, SECOND)], scorer, all_of_them)
    assert len(touched) == 1


def test_a_matter_is_read_only_where_all_its_words_stand(find_hits: FindHits, scorer: ReadingScorer) -> None:
    hits = find_hits(FIRST, SECOND)

    def found(matter: str) -> list[Dispute]:
        return find_disputes([], hits, [claim(1, FIRST)], scorer, all_of_them, matters=[matter])

    assert len(found("The capital budget of Project Heron")) == 1
    assert found("The operating budget of Project Heron") == []


@pytest.mark.parametrize("choice", ["document-1: EUR 42.0 million", "1", 1, " DOCUMENT-1 ", "EUR 42.0 million"])
def test_a_side_is_chosen_by_its_option_number_title_or_value(dispute: Dispute, choice: object) -> None:
    settled = settle(dispute, choice)
    assert settled is not None
    assert settled["preferred"] == 0
    assert told(settled) == (
        "The sources disagree: “document-1” (EUR 42.0 million) was preferred to “document-2” (EUR 47.5 million), "
        "because you chose it."
    )


def test_neither_is_a_choice_and_anything_else_is_none(dispute: Dispute) -> None:
    assert options(dispute)[-1] == NEITHER
    settled = settle(dispute, NEITHER)
    assert settled is not None
    assert settled["preferred"] is None
    assert "Neither was preferred, as you chose." in told(settled)
    assert [settle(dispute, wrong) for wrong in ("", "4", None, "both", {"choice": 1})] == [None] * 5


def test_what_is_less_likely_a_conflict_is_told_with_less_certainty_and_takes_less_confidence(dispute: Dispute) -> None:
    doubtful: Dispute = {**dispute, "probability": 0.3}
    assert (caveat([doubtful]) or "").startswith("The sources may disagree: ")
    assert (caveat([{**dispute, "probability": 0.8}]) or "").startswith("The sources disagree: ")
    assert contested(0.9, []) == 0.9
    assert contested(0.9, [doubtful]) == pytest.approx(0.7 * 0.9 + 0.3 * 0.5)
