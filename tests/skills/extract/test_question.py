"""What a question must find again as it stands."""

import pytest

from docmind.skills.extract.question import read_question, stands_in


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("How much memory does ml.eia1.xlarge have?", ("ml.eia1.xlarge",)),
        ("Is it offered in us-east-1 on M3?", ("us-east-1", "m3")),
        ("Are multi-model endpoints supported since the 1990s?", ()),
        ("Who came 2nd in 2019?", ()),
    ],
)
def test_words_of_letters_and_digits_are_identifiers(text: str, identifiers: tuple[str, ...]) -> None:
    assert read_question(text).identifiers == identifiers


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Who signed the lease?", True),
        ("In 2020, who signed it?", True),
        ("By whom was it signed?", True),
        ("Which tenants, whom nobody knew, signed?", False),
        ("What do people who sign get?", False),
    ],
)
def test_only_a_question_that_opens_with_who_asks_for_a_person(text: str, who: bool) -> None:
    assert read_question(text).asks_who is who


def test_an_identifier_stands_whole_or_not_at_all() -> None:
    assert stands_in("d2.xlarge", "types md2.xlarge and d2.xlarge.")
    assert not stands_in("m3", "m30 and gm3")
