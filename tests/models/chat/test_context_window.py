"""Whatever is shown to a model fits the room of its call, and the question is there to the last."""

from hypothesis import given
from hypothesis import strategies as st

from docmind.models.chat.model import Message, fitted, input_tokens

SYSTEM = Message("system", "Answer from the passages.")
QUESTION = "Question: How long are receipts kept?"
TEXTS = st.text(max_size=40).flatmap(lambda text: st.integers(0, 400).map(lambda times: text * times))


def test_what_fits_stays_as_it_is() -> None:
    messages = (SYSTEM, Message.user("Passages:\n\nReceipts are kept for ten years.", QUESTION))
    assert fitted(messages, 1_000) == fitted(messages, None) == messages


def test_passages_are_cut_from_the_last_on_and_the_question_stays() -> None:
    passages = "\n\n".join(f"[{number}] Rule {number} of the handbook." for number in range(1, 500))
    found = fitted([SYSTEM, Message.user(f"Passages:\n\n{passages}", QUESTION)], 500)
    assert found[0] == SYSTEM
    assert found[1].content.startswith("Passages:\n\n[1] Rule 1 of the handbook.")
    assert found[1].content.endswith(QUESTION)
    assert 450 < input_tokens(found) <= 500


def test_a_reply_that_has_to_be_repaired_takes_its_room_from_the_passages() -> None:
    repairing = Message("assistant", "x" * 300), Message("user", "Again.")
    turns = [SYSTEM, Message.user("word " * 1_000, QUESTION), *repairing]
    found = fitted(turns, 600)
    assert input_tokens(found) <= 600
    assert found[2:] == repairing
    assert found[1].content.endswith(QUESTION)


@given(TEXTS, TEXTS, TEXTS, st.integers(200, 3_000))
def test_nothing_is_longer_than_its_room(shown: str, asked: str, said: str, most: int) -> None:
    turns = [SYSTEM, Message.user(shown, asked), Message("assistant", said)]
    assert input_tokens(fitted(turns, most)) <= max(
        most, input_tokens([SYSTEM, Message("user", ""), Message("user", "")])
    )


def test_a_schema_counts_as_a_part_of_the_prompt() -> None:
    schema = {"title": "Plan", "description": "x" * 300}
    assert input_tokens([SYSTEM], schema) > input_tokens([SYSTEM]) + 100
    assert input_tokens(fitted([SYSTEM, Message.user("y" * 3_000, QUESTION)], 400, schema), schema) <= 400
