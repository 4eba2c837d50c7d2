"""A date of one thing is not borne out by the same date of another."""

import pytest

from docmind.quality.disagreements import Reading
from docmind.quality.disagreements.subjects import subject_disagreements


def reasons(claim: str, quote: str) -> list[str]:
    return [one.reason for one in subject_disagreements(Reading.of(claim), Reading.of(quote))]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Production starts in April 2028.", "Site works start in April 2028, and production starts in March 2029."),
        ("Production starts in April 2028.", "Digging starts in April 2028 while production follows in March 2029."),
        ("The south gate opens in April 2028.", "The north gate opens in April 2028 and the south gate in March 2029."),
    ],
)
def test_a_date_that_the_sentence_gives_to_something_else_disagrees(claim: str, quote: str) -> None:
    assert reasons(claim, quote) == ["The claim says April 2028, the passage says March 2029."]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("Production starts in March 2029.", "Site works start in April 2028, and production starts in March 2029."),
        ("Site works start in April 2028.", "Site works start in April 2028, and production starts in March 2029."),
        ("The firm was sold in 2005.", "The firm was founded in 1990 and moved to Leeds in 2005."),
        ("The mill was built in 1990.", "Constructed by Ann Reed in 1990, the mill was sold in 2005."),
        ("Production starts in April 2028.", "Site works start in April 2028, and production follows."),
        ("Acme's digging starts in April 2028.", "Digging starts in April 2028 and Acme's production in March 2029."),
    ],
)
def test_a_date_that_may_be_of_the_same_thing_does_not_disagree(claim: str, quote: str) -> None:
    assert reasons(claim, quote) == []
