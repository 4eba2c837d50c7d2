"""Yes or no, from the statement that decides."""

from collections.abc import Callable

import pytest

from docmind.domain.search import Hit
from docmind.skills.extract.polarity import affirms
from docmind.skills.extract.question import read_question
from docmind.skills.extract.statements import read_statements

FindHits = Callable[..., list[Hit]]


def decides(find_hits: FindHits, question: str, text: str) -> bool:
    """What the last statement of a passage says to the question."""
    return affirms(read_question(question), read_statements(find_hits(text))[-1])


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Can I park in the yard?", "You can park in the yard."),
        ("Can I park in the yard?", "You can park in the yard if the gate is not closed."),
        ("Is the yard lit?", "The yard is not only lit but also watched."),
        ("Can I pay by card?", "You can pay by card without a fee."),
        ("Can't I pay by card?", "You can pay by card."),
        ("Is the hall open on Sundays?", "The cellar is not heated; the hall is open on Sundays."),
    ],
)
def test_what_is_said_of_the_thing_asked_about_is_affirmed(find_hits: FindHits, question: str, text: str) -> None:
    assert decides(find_hits, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Can I park in the yard?", "You can't park in the yard."),
        ("Can I park in the yard?", "Parking in the yard is never allowed."),
        ("Does training lower the pulse?", "Training is not associated with a lower pulse."),
        ("Does the annex have a lift?", "The main building has a lift, but the annex does not."),
        ("Is there a lift?", "There is no lift."),
    ],
)
def test_what_is_said_of_the_thing_asked_about_is_denied(find_hits: FindHits, question: str, text: str) -> None:
    assert not decides(find_hits, question, text)


def test_what_introduces_a_list_denies_its_items(find_hits: FindHits) -> None:
    text = "Do not turn on the following modes:\n\n- Offline mode\n- Simple mode"
    assert not decides(find_hits, "Should I turn on Simple mode?", text)


def test_the_column_asked_about_decides_a_row(find_hits: FindHits) -> None:
    text = "Images | Supports tags: Yes | Supports tagging on creation: No\nDisks | Supports tags: No"
    rows = read_statements(find_hits(text))
    assert affirms(read_question("Do images support tags?"), rows[0])
    assert not affirms(read_question("Do images support tagging on creation?"), rows[0])
