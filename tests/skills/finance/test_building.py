"""Follow-ups that calculate with what was answered."""

import pytest

from docmind.skills.finance.building import built_on, names_a_thing

PRICE_2007 = "what was the exercise price in 2007?"
PRICE_2005 = "what was the exercise price in 2005?"
CHANGE = "what was the change in exercise price from 2005 to 2007?"
COSTS = "what were the costs in 2007?"


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ([PRICE_2007], "and what was it in 2005?", PRICE_2005),
        ([PRICE_2007, PRICE_2005], "what was, then, the change over the years?", CHANGE),
        ([PRICE_2007, PRICE_2005], "what is the percent change?", CHANGE.replace("change", "percentage change")),
        (
            [CHANGE],
            "so what was the percentage change during this time?",
            CHANGE.replace("change", "percentage change"),
        ),
        ([CHANGE], "what is that change divided by the 2005 value?", CHANGE.replace("change", "percentage change")),
        ([PRICE_2007], "what is that times 100?", f"[{PRICE_2007}] times 100"),
        ([PRICE_2007, PRICE_2005], "what is the sum of those 2 years?", f"[{PRICE_2007}] plus [{PRICE_2005}]"),
        ([PRICE_2007, PRICE_2005], "and the average of both?", f"[{PRICE_2007}] averaged with [{PRICE_2005}]"),
        ([PRICE_2007, COSTS], "and the difference between these two?", f"[{PRICE_2007}] less [{COSTS}]"),
        ([PRICE_2007], "how many people work there?", ""),
        ([PRICE_2007], "what was the revenue in 2005?", ""),
    ],
)
def test_a_message_that_calculates_with_answers_becomes_a_question_of_its_own(
    before: list[str], said: str, meant: str
) -> None:
    assert built_on(said, before) == meant


def test_words_that_point_back_name_nothing() -> None:
    assert not names_a_thing("and what was it in the previous year?")
    assert names_a_thing("and in the previous year, what was the rental expense?")
