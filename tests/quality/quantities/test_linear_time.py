"""Reading looks at each token a bounded number of times, whatever the text is."""

from decimal import localcontext

import pytest

from docmind.quality.quantities.parser import PLAIN, Context, read_tokens
from docmind.quality.quantities.quantity import WORKING_DIGITS
from docmind.quality.quantities.tokens import Token, Tokens

MOST_LOOKS = 150
"""At one token, all readers together; far above what any text needs, and no function of its length."""


class CountedTokens(Tokens):
    """Tokens that count how often they are looked at."""

    looks = 0

    def at(self, index: int) -> Token:
        self.looks += 1
        return super().at(index)


def looks(text: str, context: Context = PLAIN) -> tuple[int, int]:
    tokens = CountedTokens(text)
    with localcontext(prec=WORKING_DIGITS):
        for _ in read_tokens(tokens, context):
            pass
    return tokens.looks, len(tokens)


@pytest.mark.parametrize(
    "unit",
    [
        "1,1,1,", "1,1, ", "1,111,", "111.", "1.", "1 111 ", "1'111'", "1-", "1–2–", "-", "(", "((1", "$(", "[1,", "[",
        "$", "€1 ", "one hundred and ", "twenty-five ", "2022 and ", "fiscal years 2022, ", "Notes 1, ", "Q1 ", "+1 ",
        "A-1-", "1/",
        "three months ended June 25, 2022 and ", "June 25, ", "0.", "1e", "about ", "between 1 and ", "5 to ", "1: ",
    ],
)  # fmt: skip
def test_work_grows_no_faster_than_the_text(unit: str) -> None:
    for context in (PLAIN, Context(accounting=True)):
        for length in (500, 4_000):
            looked, tokens = looks((unit * length)[:length], context)
            assert looked <= MOST_LOOKS * (tokens + 1)


def test_two_hundred_thousand_characters_of_digits_and_commas_are_a_single_look() -> None:
    looked, tokens = looks("1,1,1," * 33_334)
    assert tokens == 1
    assert looked <= MOST_LOOKS
