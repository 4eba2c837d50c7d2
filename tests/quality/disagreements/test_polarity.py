"""What one sentence denies and the other affirms; idle and double denials deny nothing."""

from collections.abc import Callable

import pytest

Compare = Callable[[str, str], list[str]]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The board approved the merger.", "The board did not approve the merger."),
        ("The board didn't approve the merger.", "The board approved the merger."),
        ("The board failed to approve the merger.", "The board approved the merger."),
        ("The company denies that it paid the fine.", "The company paid the fine."),
        ("Patients were affected by the drug.", "Patients were unaffected by the drug."),
        ("The change was significant in men.", "The change was insignificant in men."),
        ("The trial ended without serious complications.", "The trial ended with serious complications."),
        ("The part is no longer available in shops.", "The part is available in shops."),
        ("No patients died in the trial.", "Patients died in the trial."),
    ],
)
def test_a_denial_in_one_of_them_disagrees(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == ["negation"]


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The board did not fail to approve the merger.", "The board approved the merger."),
        ("The result is not unimportant for men.", "The result is important for men."),
        ("The board not only approved the merger.", "The board approved the merger."),
        ("The report is due no later than Friday.", "The report is due later than Monday."),
        ("The impact of tax cannot be overstated.", "The impact of tax was overstated."),
        ("They found no evidence of poison.", "They have not found any evidence of poison."),
        ("The film was not released until May.", "The film was released in May."),
        ("A cell wall is found in plants but not in animals.", "Plants have a cell wall, animals do not."),
        ("Sons of men with no history, and men with history, came.", "Men with history, and with no history, came."),
    ],
)
def test_denials_that_cancel_or_limit_do_not_disagree(kinds: Compare, claim: str, quote: str) -> None:
    assert kinds(claim, quote) == []


def test_the_cue_is_shown_with_the_word_it_denies(reasons: Compare) -> None:
    assert reasons("The board approved the merger.", "The board did not approve the merger.") == [
        "The claim says “approved”, the passage says “not approve”."
    ]
