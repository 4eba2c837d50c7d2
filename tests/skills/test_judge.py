"""A draft is judged by the passages it was written from."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.judge import judge

TEXTS = (
    "Travel above EUR 500 needs the approval of the head of department. Receipts are kept for ten years.",
    "The cafeteria serves soup from eleven to two.",
)
PASSAGES = [Passage(f"p{n}", f"d{n}", 0, Span(0, len(text)), text) for n, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def test_a_faithful_draft_has_nothing_hallucinated(grounder: Grounder) -> None:
    found = judge("Receipts are kept for ten years [1].", PASSAGES, grounder)
    assert not found.hallucinated
    assert found.useful == {"p0"}
    (claim,) = found.claims()
    assert claim["status"] == "supported"
    assert claim["quote"] == "Receipts are kept for ten years."


@pytest.mark.parametrize(
    ("draft", "status", "finding"),
    [
        ("Receipts are kept for six years [1].", "contradicted", "contradicted"),
        ("Receipts are scanned by an outside firm in Vienna [1].", "unsupported", "unsupported"),
        ("The cafeteria serves soup from eleven to two [1].", "unsupported", "misattributed"),
        ("Receipts are kept for ten years [9].", "unsupported", "fabricated"),
    ],
)
def test_each_kind_of_fault_is_a_hallucination_and_says_which(
    grounder: Grounder, draft: str, status: str, finding: str
) -> None:
    found = judge(draft, PASSAGES, grounder)
    assert len(found.hallucinated) == 1
    (claim,) = found.claims()
    assert (claim["status"], claim["finding"]) == (status, finding)
    assert draft.partition(" [")[0] in found.reasoning


def test_to_cite_nothing_is_no_hallucination_where_the_passages_say_so(grounder: Grounder) -> None:
    found = judge("Receipts are kept for ten years.", PASSAGES, grounder)
    assert not found.hallucinated
    (claim,) = found.claims()
    assert (claim["status"], claim["finding"]) == ("supported", "uncited")


def test_an_empty_draft_asserts_nothing(grounder: Grounder) -> None:
    found = judge("", PASSAGES, grounder)
    assert not found.hallucinated
    assert found.reasoning == "The draft asserts nothing."
