"""Numbers that were worked out are evidence; what a question takes for granted is not."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Check, Grounder
from docmind.quality.quantities import Computed, growth, read_table, share

GROUNDER = Grounder(Reader())
ROW = "Net sales | 2023: 655,230 | 2022: 601,020"
TABLE = Passage("p1", "d1", 0, Span(0, len(ROW)), ROW, kind="table")


def _passage(text: str) -> Passage:
    return Passage("p1", "d1", 0, Span(0, len(text)), text)


def _growth() -> Computed:
    new, old = read_table(ROW)
    computed = growth(new, old)
    assert isinstance(computed, Computed)
    return computed


def test_a_growth_rate_is_supported_by_its_calculation_and_names_the_formula() -> None:
    computed = _growth()
    (one,) = audit("Net sales grew 9.0% in 2023 [1].", [TABLE], GROUNDER, computed=[computed]).claims
    assert one.status is ClaimStatus.SUPPORTED
    assert one.grounding.computed == (computed.formula,)


@pytest.mark.parametrize("claimed", ["9.1%", "8%", "19.0%", "$9.0", "9.0 million"])
def test_a_calculation_supports_no_other_number(claimed: str) -> None:
    (one,) = audit(f"Net sales grew {claimed} in 2023 [1].", [TABLE], GROUNDER, computed=[_growth()]).claims
    assert one.status is not ClaimStatus.SUPPORTED


def test_only_the_calculations_that_were_needed_are_named() -> None:
    computed = _growth()
    new, old = read_table("Pumps | 2023: 131,046 | 2022: 120,000\nNet sales | 2023: 655,230 | 2022: 601,020")[::2]
    other = share(new, old)
    assert isinstance(other, Computed)
    (one,) = audit("Net sales grew 9.0% in 2023 [1].", [TABLE], GROUNDER, computed=[other, computed]).claims
    assert one.grounding.computed == (computed.formula,)


@pytest.mark.parametrize(
    ("asked", "claim", "evidence"),
    [
        ("Why did revenue fall 12%?", "Revenue fell 12%.", "The plant in Ohio makes pumps."),
        ("Why did revenue fall 12%?", "Revenue fell 12%.", "Costs rose 12%."),
        ("Why did revenue fall 12%?", "Revenue fell 12%.", "The shareholders hold 12% of the votes."),
        ("Why did revenue fall 12% in Ohio?", "Revenue fell by 12% in Ohio.", "Staff in Ohio grew 12%."),
        ("Why did the chairman resign?", "The chairman resigned.", "The chairman opened the meeting."),
        ("When was the Leeds site sold?", "The Leeds site was sold.", "The Leeds site has 412 employees."),
        ("When was the Leeds site sold?", "The Leeds site was sold in 2019.", "The Zurich branch opened in 2019."),
    ],
)
def test_a_false_premise_is_not_made_true_by_being_asked(asked: str, claim: str, evidence: str) -> None:
    (one,) = audit(f"{claim} [1]", [_passage(evidence)], GROUNDER, asked=asked).claims
    assert one.status is not ClaimStatus.SUPPORTED


@pytest.mark.parametrize("claim", ["It was.", "They have not, and neither has she."])
def test_a_claim_of_empty_words_is_not_taken_as_supported(claim: str) -> None:
    [grounding] = GROUNDER.ground([Check(claim, GROUNDER.evidence([_passage("The Leeds site has 412 employees.")]))])
    assert grounding.status is ClaimStatus.UNSUPPORTED
