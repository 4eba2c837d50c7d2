"""Claims that give two things each other's figures: every word of them stands in the evidence."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.quality.audit import audit
from docmind.quality.disagreements import Reading
from docmind.quality.disagreements.statements import statements
from docmind.quality.grounding import Grounder

GROUNDER = Grounder()
SOURCES = (
    "Revenue was $7 million; costs were $5 million.",
    "Revenue was $7 million. Costs were $5 million.",
    "Revenue was $7 million and costs were $5 million.",
    "In the year revenue was $7 million, up from $6 million, and costs were $5 million, down from $5.5 million.",
)
FRAMES = (
    "Revenue was {}; costs were {} [1].",
    "Revenue was {} and costs were {} [1].",
    "Revenue was {}, while costs were {} [1].",
)


def status(claim: str, source: str) -> ClaimStatus:
    (one,) = audit(claim, [Passage("p", "d", 0, Span(0, len(source)), source)], GROUNDER).claims
    return one.status


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("frame", FRAMES)
def test_figures_given_to_each_others_things_contradict(frame: str, source: str) -> None:
    assert status(frame.format("$7 million", "$5 million"), source) is ClaimStatus.SUPPORTED
    assert status(frame.format("$5 million", "$7 million"), source) is ClaimStatus.CONTRADICTED


def test_the_reason_names_both_figures_and_where_they_stand() -> None:
    source = "Both years were good. Revenue was 7. Costs were 5."
    claim = "Costs were 7; revenue was 5 [1]."
    (one,) = audit(claim, [Passage("p", "d", 0, Span(100, 100 + len(source)), source)], GROUNDER).claims
    (found,) = one.grounding.disagreements
    assert found.reason == "The claim says 7, the passage says 5."
    assert (found.claimed.of(one.claim.text), source[found.stated.start - 100 : found.stated.end - 100]) == ("7", "5")


def test_a_figure_that_is_told_of_the_thing_elsewhere_is_not_misplaced() -> None:
    source = "Revenue was 7 in 2022; costs were 5. In 2023 revenue was 9; costs were 7."
    assert status("Revenue was 9 and costs were 7 [1].", source) is ClaimStatus.SUPPORTED


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Revenue was 5; costs were 7.", ["Revenue was 5", " costs were 7."]),
        ("Revenue was 5, costs were 7 and tax was 1.", ["Revenue was 5", " costs were 7", " tax was 1."]),
        ("Revenue and costs were 5 and 7.", ["Revenue and costs were 5 and 7."]),
        ("Revenue rose by 5 and fell by 7.", ["Revenue rose by 5 and fell by 7."]),
        ("Revenue was 5; it was a good year.", ["Revenue was 5; it was a good year."]),
    ],
)
def test_a_sentence_is_parted_where_each_part_gives_a_figure(sentence: str, parts: list[str]) -> None:
    assert [part.of(sentence) for part in statements(Reading.of(sentence))] == parts
