"""Sources are numbered from 1 as they are cited: in a draft, however its text is cut into pieces, and in a result."""

from typing import Any

import pytest

from docmind.domain.answers import CheckedClaim, Citation, RunResult, Status
from docmind.workflows.citations import NumberedDraft, renumbered

ONE, OTHER = "a1b2c3d4e5f60718", "0f1e2d3c4b5a6978"
WRITTEN = f"Heron costs 42 [{OTHER}]. It starts in 2027 [{ONE}, {OTHER}]. See [1] and [ffffffffffffffff]."
SHOWN = "Heron costs 42 [1]. It starts in 2027 [2, 1]. See [1] and [ffffffffffffffff]."


@pytest.mark.parametrize("size", [1, 3, 17, 1000])
def test_ids_become_numbers_in_the_order_they_are_cited(size: int) -> None:
    told: list[tuple[str, bool]] = []

    def tell(text: str, *, fresh: bool) -> None:
        told.append((text, fresh))

    draft: Any = NumberedDraft(tell, (ONE, OTHER))
    for at in range(0, len(WRITTEN), size):
        draft(WRITTEN[at : at + size], fresh=at == 0)
    assert "".join(text for text, _ in told) == SHOWN
    assert [fresh for _, fresh in told].count(True) == 1
    draft(f"Anew [{ONE}].", fresh=True)
    assert told[-1] == ("Anew [1].", True)


def test_a_bracket_that_never_closes_is_text() -> None:
    told: list[str] = []

    def tell(text: str, *, fresh: bool) -> None:
        told.append(text if fresh else "")

    draft: Any = NumberedDraft(tell, (ONE, OTHER))
    draft(f"An aside [{'x' * 700}", fresh=True)
    assert told[0].startswith("An aside [xxx")


def cited(number: int) -> Citation:
    return Citation(
        marker=f"[{number}]", document="d", title="D", source="d", page=None, start=0, end=4, quote="Text", support=0.9
    )


def claimed(text: str, answer: str, *citations: str) -> CheckedClaim:
    start = answer.index(text)
    return CheckedClaim(
        text=text,
        start=start,
        end=start + len(text),
        kind="general",
        status="supported",
        citations=list(citations),
        confidence_score=0.9,
    )


def test_a_result_is_numbered_from_one_and_its_claims_move_with_it() -> None:
    answer = "It costs 42 [12, 3]. It starts in May [3]."
    claims = [claimed("It costs 42", answer, "12", "3"), claimed("It starts in May", answer, "3")]
    result = renumbered(
        RunResult(
            run_id="r",
            workflow="docs",
            status=Status.ANSWERED,
            answer=answer,
            citations=[cited(3), cited(7), cited(12)],
            claims=claims,
        )
    )
    assert result.answer == "It costs 42 [1, 2]. It starts in May [2]."
    assert [one.marker for one in result.citations] == ["[1]", "[2]", "[3]"]
    assert [one.citations for one in result.claims] == [["1", "2"], ["2"]]
    assert [result.answer[one.start : one.end] for one in result.claims] == ["It costs 42", "It starts in May"]


def test_a_result_that_cites_what_it_has_no_source_for_is_left_as_it_is() -> None:
    result = RunResult(
        run_id="r", workflow="docs", status=Status.ANSWERED, answer="One [3]. Two [1].", citations=[cited(3)]
    )
    assert renumbered(result) is result
