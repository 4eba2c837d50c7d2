"""Follow-ups that calculate with what was answered become plans."""

import pytest

from docmind.skills.finance.plan import Plan
from docmind.skills.finance.plan.follow_up import Earlier, EarlierQuestion, names_a_thing, plan_after

PRICE_2007 = "what was the exercise price in 2007?"
PRICE_2005 = "what was the exercise price in 2005?"
CHANGE = "what was the change in exercise price from 2005 to 2007?"
COSTS = "what were the costs in 2007?"


def told(plan: Plan | None) -> tuple[str, list[str]] | None:
    """The last operation, and the periods of what it takes or the numbers."""
    if plan is None:
        return None
    periods = {lookup.id: lookup.period for lookup in plan.lookups}
    return plan.steps[-1].operation.value, [periods.get(taken, taken) for taken in plan.steps[-1].of]


@pytest.mark.parametrize(
    ("before", "said", "meant"),
    [
        ([PRICE_2007, PRICE_2005], "what was, then, the change over the years?", ("change", ["2007", "2005"])),
        ([PRICE_2007, PRICE_2005], "what is the percent change?", ("growth", ["2007", "2005"])),
        ([CHANGE], "so what was the percentage change during this time?", ("growth", ["2007", "2005"])),
        ([CHANGE], "what is that change divided by the 2005 value?", ("growth", ["2007", "2005"])),
        ([PRICE_2007], "what is that times 100?", ("product", ["2007", "100"])),
        ([PRICE_2007, PRICE_2005], "what is the sum of those 2 years?", ("sum", ["2007", "2005"])),
        ([PRICE_2007, PRICE_2005], "and the average of both?", ("average", ["2007", "2005"])),
        ([PRICE_2007, COSTS], "and the difference between these two?", ("change", ["2007", "2007"])),
        ([PRICE_2007], "how many people work there?", None),
        ([PRICE_2007], "what was the revenue in 2005?", None),
    ],
)
def test_a_message_that_calculates_with_answers_becomes_a_plan(
    before: list[str], said: str, meant: tuple[str, list[str]] | None
) -> None:
    assert told(plan_after(said, Earlier([EarlierQuestion(one) for one in before]))) == meant


def test_words_that_point_back_name_nothing() -> None:
    assert not names_a_thing("and what was it in the previous year?")
    assert names_a_thing("and in the previous year, what was the rental expense?")
