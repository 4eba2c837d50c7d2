"""What a message takes as known though nobody has named it."""

import pytest

from docmind.skills.dialogue import History, Turn
from docmind.skills.dialogue.coreference import pointed_at, taken_as_known

STORM = History((Turn("What is a hurricane?", "A hurricane is a storm over warm water."),))


@pytest.mark.parametrize(
    ("message", "thing"),
    [
        ("Does this animal have antlers?", "animal"),
        ("How strong was this hurricane?", ""),
        ("How strong was it?", ""),
        ("What is this?", ""),
    ],
)
def test_what_is_pointed_at_was_named_or_is_asked_about(message: str, thing: str) -> None:
    assert pointed_at(message, STORM) == thing


@pytest.mark.parametrize(
    ("message", "thing"),
    [
        ("When was the famous player born?", "famous player"),
        ("How large is the country's stadium?", "country"),
        ("How much did they take at the box office?", "box office"),
        ("How did the hurricane end?", ""),
        ("Who is the president of France?", ""),
        ("Who wrote the novel that won?", ""),
        ("What are the allies called?", ""),
        ("What is the first step?", ""),
        ("Where is the Eiffel Tower?", ""),
        ("What will the future bring?", ""),
    ],
)
def test_one_thing_is_taken_as_known_where_nothing_tells_which(message: str, thing: str) -> None:
    assert taken_as_known(message, STORM) == thing
