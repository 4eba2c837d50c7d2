"""Names in one place are compared, unless they may be one name."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The contract was signed by Acme Corp in Berlin.", "The contract was signed by Acme Corp in Munich."),
        ("In May, Mary Smith led the board.", "In May, John Smith led the board."),
        ("The plant is owned by Siemens and its partners.", "The plant is owned by Volvo and its partners."),
    ],
)
def test_another_name_in_the_same_place_disagrees(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["name"]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The talks were led by the EU in May.", "The talks were led by the European Union in May."),
        ("He was seen in Grămești last week.", "He was seen in Gramesti last week."),
        ("The bill was signed by President Obama in May.", "The bill was signed by Barack Obama in May."),
        ("In all, Billy Herman won twice.", "In all, William Jennings Herman won twice."),
        ("The Greek army fought in the war.", "The army of Greece fought in the war."),
        ("Alice called Bob after the meeting.", "Bob called Alice after the meeting."),
        ("The dish is not from France but from here.", "The dish is from Spain but made here."),
    ],
)
def test_what_may_be_one_name_or_another_role_does_not_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == []
