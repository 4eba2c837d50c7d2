"""What a reply to a question of ours means."""

import pytest

from docmind.skills.clarify import explained, gives_up, is_question, unanswered

QUESTION = "How long are receipts kept?"


@pytest.mark.parametrize(
    "reply", ["Who approves travel?", "what is the budget of the plant", "and for contractors too?"]
)
def test_a_whole_question_takes_the_place_of_the_one_before(reply: str) -> None:
    assert is_question(reply)
    assert explained(QUESTION, reply) == reply


@pytest.mark.parametrize("reply", ["those in the archive", "Travel: approvals", "which?", "2024"])
def test_anything_else_narrows_it(reply: str) -> None:
    assert not is_question(reply)
    assert explained(QUESTION, reply) == f"How long are receipts kept ({reply.rstrip('?')})?"


@pytest.mark.parametrize("reply", ["None of these", "no", "never mind", "Forget it.", ""])
def test_whoever_gives_up_leaves_it_as_it_is(reply: str) -> None:
    assert gives_up(reply)
    assert explained(QUESTION, reply) == QUESTION


def test_what_was_not_found_is_asked_about_in_the_way_that_helps() -> None:
    assert unanswered(QUESTION).endswith("Is it about one of these, or can you ask it another way?")
    assert unanswered("When was the player born?", "player").endswith("Which player do you mean?")
    assert "strategy workflow" in unanswered("What are the main risks?")
