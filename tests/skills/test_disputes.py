"""Documents that answer one question with different values, and what a person makes of them."""

from collections.abc import Callable
from typing import Any

import pytest

from docmind.domain.search import Hit
from docmind.skills.disputes import NEITHER, Dispute, find_disputes, options, settle, told
from docmind.skills.rival_figures import rival_figures

FindHits = Callable[..., list[Hit]]
QUESTION = "What is the capital budget of Project Heron for 2026 to 2028?"
FIRST = "The capital budget of Project Heron for the years 2026 to 2028 is EUR 42.0 million, including contingency."
SECOND = "The committee endorses Project Heron with a capital budget of EUR 47.5 million for the years 2026 to 2028."


def claim(number: int, text: str) -> dict[str, Any]:
    return {"passage_id": f"passage-{number}", "quote_start": 0, "quote_end": len(text)}


@pytest.fixture
def dispute(find_hits: FindHits) -> Dispute:
    (found,) = find_disputes([QUESTION], find_hits(FIRST, SECOND), [claim(1, FIRST)])
    return found


def test_two_values_of_what_is_asked_about_are_rivals(find_hits: FindHits) -> None:
    (conflict,) = rival_figures(QUESTION, find_hits(FIRST, SECOND))
    assert (conflict.first.value, conflict.second.value) == ("EUR 42.0 million", "EUR 47.5 million")
    assert conflict.first.span.of(FIRST) == "EUR 42.0 million"
    assert (conflict.first.quote, conflict.second.quote) == (FIRST, SECOND)


@pytest.mark.parametrize(
    "other",
    [
        "The committee endorses Project Heron with a capital budget of EUR 42 million for the years 2026 to 2028.",
        "The committee endorses Project Heron with a capital budget of EUR 47.5 million for the years 2029 to 2031.",
        "The committee endorses Project Heron with a capital budget of USD 47.5 million for the years 2026 to 2028.",
        "The committee endorses Project Heron with a capital budget of about EUR 47.5 million for 2026 to 2028.",
        "The committee endorses Project Osprey with a capital budget of EUR 47.5 million for the years 2026 to 2028.",
        "The capital budget of Project Heron for 2026 to 2028 was EUR 30 million, then EUR 47.5 million.",
        "Project Heron needs no capital budget for the years 2026 to 2028.",
    ],
)  # fmt: skip
def test_what_agrees_or_speaks_of_something_else_is_no_rival(find_hits: FindHits, other: str) -> None:
    assert rival_figures(QUESTION, find_hits(FIRST, other)) == []


def test_a_document_is_no_rival_of_itself(find_hits: FindHits) -> None:
    assert rival_figures(QUESTION, find_hits(f"{FIRST} {SECOND}")) == []


def test_a_conflict_that_the_answer_does_not_touch_is_no_dispute(find_hits: FindHits) -> None:
    hits = find_hits(FIRST, SECOND, "The plant opens in May.")
    assert find_disputes([QUESTION], hits, [claim(3, "The plant opens in May.")]) == []
    assert len(find_disputes([QUESTION, QUESTION], hits, [claim(2, SECOND)])) == 1


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
