"""What holds for every question: few parts, nothing lost, nothing that breaks on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.quantities.tokens import vocabulary
from docmind.quality.words import words
from docmind.skills.decompose import by_structure
from docmind.skills.question import LONGEST, MOST_PARTS, clean
from docmind.skills.question.comparison import COMPARING

PIECES = sorted(
    vocabulary(
        "what is are how do does did i it its their this why when which who if compare and or , ? . the a of in for "
        "between from to Orion Vega kx1.large pump margin revenue costs 2022 2023 Q1 contractors encrypt change only "
        "without vs difference please explain"
    )
)
SAID_BY_SPLITTING = COMPARING | {"please"}
"""Words whose meaning is that there are several parts, or that one is asked kindly."""

questions = st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join)


@given(questions)
def test_every_content_word_is_in_some_sub_query(question: str) -> None:
    kept = {word.key for query in by_structure(question).sub_queries for word in words(query)}
    assert {word.key for word in words(question) if word.text.lower() not in SAID_BY_SPLITTING} <= kept


@given(st.one_of(questions, st.text()))
def test_there_are_one_to_four_sub_queries_and_each_is_there_once(question: str) -> None:
    queries = by_structure(question).sub_queries
    assert 1 <= len(queries) == len(set(queries)) <= MOST_PARTS
    assert all(queries) or not any(character.isprintable() and not character.isspace() for character in question)


@given(st.one_of(questions, st.text()))
def test_what_is_named_stands_in_the_question(question: str) -> None:
    found, asked = by_structure(question), clean(question)
    assert all(part in asked for part in (*found.entities, *found.constraints, *found.temporals))


@pytest.mark.parametrize("question", ["", "   \n", "\x00\x01\x02"])
def test_a_blank_question_is_one_blank_query(question: str) -> None:
    found = by_structure(question)
    assert (found.sub_queries, found.intent, found.entities) == ([""], "lookup", [])


@pytest.mark.parametrize(
    "question",
    [
        "What is Orion and how does it work? " * 300,
        "and " * 2_500,
        "(" * 10_000,
        "a" * 100_000,
        "2022, " * 5_000,
        "for a " * 20_000,
        "'x.y-" * 20_000,
        "if what, " * 10_000,
        "difference between   and " * 1_000,
    ],
)
def test_a_document_for_a_question_is_one_query_of_bounded_length(question: str) -> None:
    (query,) = by_structure(question).sub_queries
    assert 0 < len(query) <= LONGEST


def test_both_ends_of_a_long_question_are_kept() -> None:
    (query,) = by_structure(f"Regarding Orion: {'lorem ipsum ' * 1_000} what is the fee?").sub_queries
    assert query.startswith("Regarding Orion")
    assert query.endswith("what is the fee?")


@pytest.mark.parametrize(
    "question", [bytes(range(256)).decode("latin-1") * 4, "Why\x00? How\ud800? \ufffd!", "\x7fELF\x02 and what is it?"]
)
def test_a_binary_question_is_one_query_that_can_be_sent(question: str) -> None:
    (query,) = by_structure(question).sub_queries
    assert query.encode()
    assert "\x00" not in query


def test_a_comparison_of_nothing_is_left_as_it_is() -> None:
    assert by_structure("What is the difference between   and it?").sub_queries == [
        "What is the difference between   and it?"
    ]


def test_a_question_over_several_lines_is_read_as_one_over_one_line() -> None:
    assert by_structure("What is Orion?\r\nHow large is it?").sub_queries == ["What is Orion?", "How large is Orion?"]
