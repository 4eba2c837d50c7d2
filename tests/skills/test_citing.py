"""Citations that a writer forgot or got wrong are put right where a passage bears the claim out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.drafting import with_citations

TEXTS = (
    "Travel above EUR 500 needs the approval of the head of department. Receipts are kept for ten years.",
    "The cafeteria serves soup from eleven to two.",
)
PASSAGES = [Passage(f"p{n}", f"d{n}", 0, Span(0, len(text)), text) for n, text in enumerate(TEXTS)]
GROUNDER = Grounder(Reader())


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Receipts are kept for ten years.", "Receipts are kept for ten years [1]."),
        ("Receipts are kept for ten years", "Receipts are kept for ten years [1]"),
        ("The cafeteria serves soup from eleven to two [1].", "The cafeteria serves soup from eleven to two [2]."),
        ("The cafeteria serves soup from eleven to two. [1]", "The cafeteria serves soup from eleven to two [2]."),
        ("Receipts are kept for ten years [1, 9].", "Receipts are kept for ten years [1]."),
        (
            "Sure! Receipts are kept for ten years. The cafeteria serves soup from eleven to two.",
            "Sure! Receipts are kept for ten years [1]. The cafeteria serves soup from eleven to two [2].",
        ),
    ],
)
def test_a_claim_that_a_passage_bears_out_cites_that_passage(written: str, expected: str) -> None:
    assert with_citations(written, PASSAGES, GROUNDER) == expected
    assert all(one.status is ClaimStatus.SUPPORTED for one in audit(expected, PASSAGES, GROUNDER).claims)


@pytest.mark.parametrize(
    "written",
    [
        "Receipts are kept for ten years [1].",
        "Receipts are scanned by an outside firm in Vienna.",
        "Receipts are kept for six years [2].",
        "The passages do not say who pays.",
        "",
    ],
)
def test_what_is_well_cited_or_not_borne_out_is_left_as_it_was_written(written: str) -> None:
    assert with_citations(written, PASSAGES, GROUNDER) == written


@given(
    st.lists(st.sampled_from([*"ab .!?\n|-*#[]()19", "Receipts are kept for ten years", "[1]", "[Doc 7]"]), max_size=12)
)
def test_no_text_breaks_it_and_once_is_enough(pieces: list[str]) -> None:
    once = with_citations("".join(pieces), PASSAGES, GROUNDER)
    assert with_citations(once, PASSAGES, GROUNDER) == once
