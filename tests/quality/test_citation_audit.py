"""The audit as plain data for the strategy workflow."""

import json

import pytest

from docmind.domain.documents import Passage, Span
from docmind.models.reader import Reader
from docmind.quality.audit import audit, citation_audit
from docmind.quality.grounding import Grounder

TEXTS = (
    "Revenue rose 12% to $4.2 million in 2023. The board approved a dividend of $0.30 a share.",
    "The Ohio plant opened in May and employs 240 people.",
)
PASSAGES = [
    Passage(f"p{number}", f"d{number}", 0, Span(0, len(text)), text) for number, text in enumerate(TEXTS, start=1)
]


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def test_each_fault_is_listed_where_the_evaluator_looks_for_it(grounder: Grounder) -> None:
    answer = (
        "Revenue rose 12% to $4.2 million in 2023 [1]. The Ohio plant opened in May. "
        "The Ohio plant employs 240 people [1]. The board approved a dividend of $0.40 a share [1]. "
        "The chairman resigned over a scandal in Geneva [2]. Profit doubled [7]."
    )
    found = citation_audit(audit(answer, PASSAGES, grounder))
    assert found["total_claims"] == 6
    assert found["supported_claims"] == 1
    assert found["invalid_citations"] == ["7"]
    assert found["uncited_sentences"] == ["The Ohio plant opened in May."]
    assert found["misattributed"] == ["The Ohio plant employs 240 people."]
    assert {*found["contradicted"], *found["unsupported"]} == {
        "The board approved a dividend of $0.40 a share.",
        "The chairman resigned over a scandal in Geneva.",
    }
    assert found["hallucination"]


def test_a_faithful_answer_has_no_fault(grounder: Grounder) -> None:
    found = citation_audit(audit("The Ohio plant opened in May and employs 240 people [2].", PASSAGES, grounder))
    assert found["supported_claims"] == found["total_claims"] == 1
    assert not found["hallucination"]
    assert not any(found[fault] for fault in ("invalid_citations", "uncited_sentences", "misattributed"))


def test_it_is_plain_data(grounder: Grounder) -> None:
    found = citation_audit(audit("Sales fell [3].", PASSAGES, grounder))
    assert json.loads(json.dumps(found)) == found
