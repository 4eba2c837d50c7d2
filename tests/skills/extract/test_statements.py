"""Passages as statements, each with what it leans on."""

from collections.abc import Callable

import pytest

from docmind.domain.search import Hit
from docmind.skills.extract.statements import can_answer, read_statements

FindHits = Callable[..., list[Hit]]


def test_items_lean_on_what_introduces_their_list(find_hits: FindHits) -> None:
    lead, first, second, after = read_statements(find_hits("Bring these:\n\n- a pen\n- paper\n\nDoors open at nine."))
    assert lead.introduces
    assert first.lead is lead
    assert second.lead is lead
    assert after.lead is None


def test_a_pronoun_leans_on_the_sentence_before_it(find_hits: FindHits) -> None:
    first, second = read_statements(find_hits("The lease ends in May. It can be renewed."))
    assert second.lead is first


def test_a_pronoun_after_another_leans_on_the_sentence_that_named_what_both_mean(find_hits: FindHits) -> None:
    text = "Kaltwerk builds pumps. It is dear. Its KW-190 is new. However, it leaks."
    named, first, second, however = read_statements(find_hits(text))
    assert (first.lead, second.lead, however.lead) == (named, named, second)


def test_the_first_sentence_of_a_passage_leans_on_nothing(find_hits: FindHits) -> None:
    statements = read_statements(find_hits("The lease ends in May.", "It can be renewed."))
    assert [(statement.number, statement.lead) for statement in statements] == [(1, None), (2, None)]


@pytest.mark.parametrize(
    "text", ["For more information, see Leases.", "See the annex.", "To learn more, ask the desk."]
)
def test_a_sentence_that_only_points_elsewhere_answers_nothing(find_hits: FindHits, text: str) -> None:
    assert not any(map(can_answer, read_statements(find_hits(text))))


def test_titles_in_a_table_of_contents_answer_nothing(find_hits: FindHits) -> None:
    listed = "- Leases and Renewals\n- Notice Periods\n- Three keys and a map"
    able = [one.text for one in read_statements(find_hits(listed, heading=("Handbook", "Contents"))) if can_answer(one)]
    assert able == ["Three keys and a map"]
    assert all(map(can_answer, read_statements(find_hits(listed, heading=("Handbook", "Chapters")))))


@pytest.mark.parametrize("text", ["When does it end?", '{"end": ["May"], "renew": {"by": "<date>"}}', "word " * 300])
def test_questions_code_and_walls_of_words_answer_nothing(find_hits: FindHits, text: str) -> None:
    assert not any(map(can_answer, read_statements(find_hits(text))))


def test_a_sentence_may_stand_between_a_promised_list_and_its_items(find_hits: FindHits) -> None:
    promise, between, first, second = read_statements(
        find_hits("The system reserves the following names. They cannot be used.\n\n- ALIAS\n- ADMIN")
    )
    assert (first.lead, second.lead) == (promise, promise)
    assert not between.introduces


def test_a_promise_is_kept_by_one_list_alone(find_hits: FindHits) -> None:
    *_, other = read_statements(find_hits("We sell the following fruit.\n\n- Pears\n\nDoors open at nine.\n\n- Monday"))
    assert other.lead is None


def test_what_steps_are_for_says_nothing_without_the_steps(find_hits: FindHits) -> None:
    [title] = read_statements(find_hits("To create a notebook in the console"))
    [told] = read_statements(find_hits("To create a notebook, choose New."))
    assert not can_answer(title)
    assert can_answer(told)


def test_the_caption_of_a_table_states_nothing_and_its_rows_do(find_hits: FindHits) -> None:
    caption = "Table 5. Project Heron: capital budget 2026 to 2028, in EUR million"
    rows = ["Land | 2026: 6.8 | 2027: 8.8", "Total | 2026: 10.0 | 2027: 25.1"]
    hits = find_hits("\n".join((caption, *rows)), heading=("Board paper", "Capital", caption))
    assert [statement.text for statement in read_statements(hits)] == rows


def test_prose_in_a_table_that_is_not_its_caption_is_a_statement(find_hits: FindHits) -> None:
    hits = find_hits("Amounts are audited.\nLand | 2026: 6.8\nTotal | 2026: 10.0", heading=("Board paper", "Capital"))
    assert next(iter(read_statements(hits))).text == "Amounts are audited."
