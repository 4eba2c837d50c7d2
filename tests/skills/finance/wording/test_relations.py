"""Sentences that have the right numbers the wrong way round."""

from collections.abc import Callable

import pytest

from docmind.domain.documents import Passage
from docmind.skills.finance import Evidence, analyse_with, read_question
from docmind.skills.finance.wording.response_check import wrong_way_round
from docmind.skills.finance.wording.sentences import Sources

Tabled = Callable[..., list[Passage]]


def sources_of(passages: list[Passage]) -> Sources:
    owners = {"anvil": "Anvil plc", "bellows": "Bellows AG", "report": ""}
    return Sources(tuple(passages), owners, {})


@pytest.mark.parametrize(
    ("claim", "is_wrong"),
    [
        ("Net sales grew by 25.00% from 2022 to 2023", False),
        ("Net sales fell by 25.00% from 2022 to 2023", True),
        ("Net sales declined by 25%", True),
        ("Net sales did not fall by 25%", False),
        ("Net sales fell by 3%", False),
    ],
)
def test_a_rise_told_as_a_fall_is_found(report: list[Passage], claim: str, is_wrong: bool) -> None:
    question = read_question("What was the percentage change in net sales from 2022 to 2023?")
    analysis = analyse_with(question, Evidence(report))
    assert bool(wrong_way_round(claim, analysis, sources_of(report))) is is_wrong


@pytest.mark.parametrize(
    ("claim", "is_wrong"),
    [
        ("Anvil's revenue exceeded Bellows's revenue by EUR 40", False),
        ("Bellows's revenue exceeded Anvil's revenue by EUR 40", True),
        ("Bellows's revenue was lower than Anvil's", False),
        ("Anvil's revenue was lower than Bellows's", True),
    ],
)
def test_the_lesser_told_as_the_greater_is_found(tabled: Tabled, claim: str, is_wrong: bool) -> None:
    passages = [
        *tabled(["", "2023"], ["Revenue", "€90"], name="anvil"),
        *tabled(["", "2023"], ["Revenue", "€50"], name="bellows"),
    ]
    sources = sources_of(passages)
    question = read_question("What is the difference between Anvil's and Bellows's revenue in 2023?")
    analysis = analyse_with(question, sources.evidence)
    assert bool(wrong_way_round(claim, analysis, sources)) is is_wrong
