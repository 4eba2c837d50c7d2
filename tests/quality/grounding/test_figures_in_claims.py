"""Figures of claims: one figure in two spellings is one, and one that the evidence lacks is weighed against its own."""

import pytest

from docmind.bench.altered_figures import with_altered_figure
from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus, Grounding
from docmind.models.reader import Reader
from docmind.quality.excerpts import evidence_window
from docmind.quality.grounding import Check, Grounder
from docmind.quality.grounding.figures import FigureModel, restatements, unstated

PRICES = (
    "Puncture repair | Price (EUR): 12.5\n"
    "Brake adjustment | Price (EUR): 18\n"
    "Tandem rental | Price (EUR): 40 | Deposit (EUR): 150\n"
    "City bike rental | Price (EUR): 18 | Deposit (EUR): 50"
)
STATEMENT = "Revenue | 2024: 655,230 | 2023: 601,020\nOperating profit | 2024: 85,330 | 2023: 68,230"


def passage(text: str, *heading: str, kind: str = "table") -> Passage:
    return Passage(
        id=text[:20], document_id="d", ordinal=0, span=Span(0, len(text)), text=text, heading=heading, page=1, kind=kind
    )


WORKSHOP = passage(PRICES, "Bike workshop: price list 2026")
REPORT = passage(STATEMENT, "Ellandor: annual report 2024", "Income statement (in thousands of euros)")


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def checked(grounder: Grounder, claim: str, evidence: Passage) -> Grounding:
    [grounding] = grounder.ground([Check(claim, grounder.evidence([evidence]))])
    return grounding


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A puncture repair costs 12.50 euros.", WORKSHOP),
        ("Renting a city bike costs EUR 18.", WORKSHOP),
        ("The deposit for a tandem is EUR 150.00.", WORKSHOP),
        ("Ellandor's revenue in 2024 was EUR 655.2 million.", REPORT),
        ("Ellandor's operating profit in 2024 was EUR 85.3 million.", REPORT),
        ("Ellandor's revenue in 2023 was EUR 601,020 thousand.", REPORT),
    ],
)
def test_a_figure_in_another_spelling_is_the_same(grounder: Grounder, claim: str, evidence: Passage) -> None:
    assert checked(grounder, claim, evidence).status is ClaimStatus.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence", "figure"),
    [
        ("A puncture repair costs 14 euros.", WORKSHOP, "14"),
        ("Renting a city bike costs EUR 25.", WORKSHOP, "25"),
        ("Ellandor's revenue in 2024 was EUR 700 million.", REPORT, "700"),
        ("Ellandor's operating profit in 2024 was EUR 95 million.", REPORT, "95"),
    ],
)
def test_a_figure_that_differs_is_not_supported_and_is_marked(
    grounder: Grounder, claim: str, evidence: Passage, figure: str
) -> None:
    grounding = checked(grounder, claim, evidence)
    assert grounding.status in (ClaimStatus.CONTRADICTED, ClaimStatus.UNSUPPORTED)
    assert figure in "".join(span.of(claim) for span in grounding.unsupported)


def test_doubts_are_told_where_they_stand_in_the_claim_as_it_was_written() -> None:
    claim = "A puncture repair costs 12.50 euros."
    [way] = restatements(claim, evidence_window(claim, [WORKSHOP]))
    assert way.text == "A puncture repair costs 12.5 euros."
    places = {word: way.text.index(word) for word in ("puncture", "12.5", "euros")}
    assert [way.original(at, at + len(word)).of(claim) for word, at in places.items()] == ["puncture", "12.50", "euros"]
    assert way.original(0, len(way.text)).of(claim) == claim


def test_rounded_figures_are_one_and_limits_and_other_currencies_are_not() -> None:
    window = evidence_window("Revenue", [REPORT])
    [way] = restatements("Revenue was EUR 655 million.", window)
    assert way.text == "Revenue was 655,230."
    for claim in ("Revenue was over EUR 650 million.", "Revenue was EUR 655 thousand.", "Revenue was EUR 600 million."):
        assert [one.text for one in restatements(claim, window)] == [claim]


def test_what_the_question_says_need_not_be_stated() -> None:
    claim, window = "For 30 days it costs EUR 18.", evidence_window("city bike", [WORKSHOP])
    missing = unstated(claim, window)
    assert missing is not None
    assert missing.text == "30"
    assert unstated(claim, window, "What does a city bike cost for 30 days?") is None


def test_a_figure_that_fits_and_follows_makes_a_claim_likelier_and_another_that_fits_less_likely() -> None:
    model = FigureModel.shipped()
    plain = {"support": 0.5, "other": 0.0, "follows": 0.0}
    probability = model.probability(plain)
    assert model.probability({**plain, "support": 2.0}) > probability
    assert model.probability({**plain, "follows": 1.0}) > probability
    assert model.probability({**plain, "other": 2.0}) < probability


def test_an_altered_figure_stands_nowhere_and_is_always_the_same() -> None:
    claim = "Renting a city bike costs EUR 18."
    altered = with_altered_figure(claim, [WORKSHOP])
    assert altered is not None
    assert altered != claim
    assert altered.startswith("Renting a city bike costs EUR ")
    assert altered.removesuffix(".").rpartition(" ")[2] not in PRICES
    assert with_altered_figure(claim, [WORKSHOP]) == altered
    assert with_altered_figure("Tandems are rented out.", [WORKSHOP]) is None
