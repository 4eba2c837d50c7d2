"""What is seen of two answers to one question."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.quality.conflicts import DocumentAnswer, Exchanged, difference, matter, say_the_same

QUESTION = "How long are invoices kept at Bexley?"
ALIKE = (Exchanged(4.0, 0.0), Exchanged(4.0, 0.0))


def answer(text: str, value: str, *, start: int = 0, heading: tuple[str, ...] = ("Policy",)) -> DocumentAnswer:
    passage = Passage(text, text, 0, Span(start, start + len(text)), text, heading)
    at = text.index(value)
    return DocumentAnswer(passage, Span(0, len(text)), Span(at, at + len(value)), 3.0, 0.9)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("10 years", "ten years", True),
        ("EUR 1.2 million", "EUR 1,200,000", True),
        ("24 months", "two years", True),
        ("the board", "The board", True),
        ("10 years", "7 years", False),
        ("the board", "the director", False),
        ("10 years", "the board", False),
    ],
)
def test_answers_are_compared_by_what_they_mean(one: str, other: str, same: bool) -> None:
    pair = answer(f"It is {one}.", one), answer(f"They said {other}.", other)
    assert say_the_same(*pair) is same
    assert say_the_same(*reversed(pair)) is same


def test_which_answer_comes_first_makes_no_difference() -> None:
    one = answer("Invoices are kept for ten years in 2023.", "ten years")
    other = answer("Bexley destroys invoices after 7 years, not after ten, since 2024.", "7 years")
    apart = (Exchanged(4.0, 0.1), Exchanged(-2.0, 0.5))
    assert difference(one, other, apart) == difference(other, one, apart[::-1])
    assert matter(QUESTION, one, other) == matter(QUESTION, other, one)


def test_signals_tell_near_values_other_times_and_mentions_of_the_other_value() -> None:
    one = answer("Invoices are kept for 10 years in 2023.", "10 years")
    other = answer("In 2024 invoices are kept for 8 years, no longer for 10.", "8 years")
    seen = difference(one, other, ALIKE)
    assert seen["value_nearness"] == pytest.approx(0.8)
    assert seen["value_told_by_other"] == 1
    assert seen["times_apart"] == 1
    assert seen["exchanged_least"] == pytest.approx(0.5)
    of_two_kinds = difference(one, answer("The archive keeps invoices.", "The archive"), ALIKE)
    assert of_two_kinds["value_of_two_kinds"] == 1
    assert of_two_kinds["value_nearness"] == 0


def test_passages_of_one_matter_share_names_titles_and_what_is_asked() -> None:
    one = answer("Invoices are kept for ten years at Bexley.", "ten years")
    alike = matter(QUESTION, one, answer("Bexley destroys invoices after 7 years, Bexley says.", "7 years"))
    other = matter(QUESTION, one, answer("Badges are renewed after 7 years.", "7 years", heading=("Badges",)))
    assert all(alike[name] > other[name] for name in ("asked_least", "named_least", "names_alike", "titles_alike"))


def test_an_answer_knows_its_place_and_takes_another_value() -> None:
    one = answer("Invoices are kept for ten years.", "ten years", start=40)
    assert one.place == Span(40, 72)
    assert one.rest.split() == ["Invoices", "are", "kept", "for", "."]
    text, at = one.with_value("a week")
    assert text == "Invoices are kept for a week."
    assert at.of(text) == "a week"
