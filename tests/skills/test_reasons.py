"""A bare "why?" after an answer."""

import pytest

from docmind.skills.dialogue import Turn
from docmind.skills.dialogue.answer_references import asks_why, gives_reason, why

KEPT = "Receipts are kept for ten years."


@pytest.mark.parametrize("message", ["Why?", "but why is that?", "How come?", "And why exactly"])
def test_a_bare_question_for_a_reason_is_known(message: str) -> None:
    assert asks_why(message)


@pytest.mark.parametrize("message", ["Why was Ostrava chosen?", "How is that?", "", "when?"])
def test_what_asks_something_of_its_own_is_none(message: str) -> None:
    assert not asks_why(message)


def test_it_asks_for_the_reason_of_what_the_answer_began_with() -> None:
    assert why(Turn("How long are receipts kept?", f"{KEPT} They are scanned.")) == (
        "Why is it that receipts are kept for ten years?"
    )
    assert why(Turn("What is it?", "The plant opens in May.")) == "Why is it that the plant opens in May?"
    assert why(Turn("What is it?")) == ""


def test_what_was_just_said_is_not_its_own_reason() -> None:
    assert not gives_reason(f"{KEPT} [1]", KEPT)
    assert not gives_reason("They are scanned on arrival [1].", KEPT)
    assert gives_reason("Receipts are kept because tax law asks for it [1].", KEPT)
